// Models that are moved, and clones.
#include <type_traits>

#include "catch.h"
#include "headlight/autograd/backward.h"
#include "headlight/ops/ops.h"
#include "subject.h"

using namespace headlight;
using namespace headlight::nn;

TEST_CASE("a moved model computes the same, hooks included", "[nn][hooks]") {
  Subject s("learned");
  const Hooks hooks{{"blocks.1.hook_attn_out", [](const Tensor& x) { return x * 2; }}};
  const Array plain = s.logits(), changed = s.logits(hooks);
  const Transformer moved = std::move(s.model);
  CHECK(same_bits(plain, moved(s.tokens).array()));
  CHECK(same_bits(changed, moved(s.tokens, hooks).array()));
}

TEST_CASE("a clone has parameters of its own", "[nn]") {
  static_assert(!std::is_copy_constructible_v<Transformer> && std::is_move_constructible_v<Transformer>);
  Subject s("learned");
  parameters(s.model)[0].set_grad(ones(parameters(s.model)[0].shape()));
  const Array before = s.logits();
  Transformer other = clone(s.model);
  CHECK(same_bits(before, other(s.tokens).array()));
  const auto original = named_parameters(s.model), copied = named_parameters(other);
  REQUIRE(original.size() == copied.size());
  for (std::size_t i = 0; i < original.size(); ++i) {
    INFO(original[i].first);
    CHECK(original[i].first == copied[i].first);
    CHECK(original[i].second.name() == copied[i].second.name());
    CHECK_FALSE(same_node(original[i].second, copied[i].second));
    CHECK(copied[i].second.requires_grad());
    CHECK_FALSE(copied[i].second.grad().defined());
  }
  cross_entropy(other(s.tokens), s.tokens).backward();
  for (Tensor& p : parameters(other)) p.mutable_array() -= p.grad().array();
  CHECK(same_bits(before, s.logits()));
  CHECK_FALSE(same_bits(before, other(s.tokens).array()));
  CHECK_FALSE(original[1].second.grad().defined());

  Embedding frozen = s.model.embed;
  frozen.W = frozen.W.detach();
  CHECK_FALSE(clone(frozen).W.requires_grad());
}
