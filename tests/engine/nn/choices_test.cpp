// Positions and norms.
#include "catch.h"
#include "headlight/ops/ops.h"
#include "subject.h"

using namespace headlight;
using namespace headlight::nn;

TEST_CASE("positions and norms can be chosen by name", "[nn]") {
  for (const auto& entry : positions().entries()) {
    CHECK_FALSE(entry.help.empty());
  }
  CHECK(positions().names() == std::vector<std::string>{"rotary", "learned", "learned-qk", "sinusoidal",
                                                        "alibi", "relative", "t5", "none"});
  for (const auto& entry : norms().entries()) CHECK(to_string(norm_from(entry.name)) == entry.name);
  CHECK(norms().names() == std::vector<std::string>{"layer", "rms", "none"});
  CHECK(contains(error_of([] { norm_from("lair"); }),
                 "unknown kind of norm 'lair': expected layer, rms or none."));
}

TEST_CASE("without a norm a block is what it adds to its input, and has no norm's parameters", "[nn]") {
  const Subject s("none", NormKind::none);
  for (const auto& [name, p] : named_parameters(s.model)) {
    INFO(name);
    CHECK(name.find("ln") == std::string::npos);
  }
  Rng rng(2);
  const Tensor x = randn({2, 3, 16}, rng);
  const Block& block = s.model.blocks[0];
  const Tensor middle = x + block.attn(x);
  CHECK(difference(block(x).array(), (middle + (*block.mlp)(middle)).array()) == 0);
}

TEST_CASE("a norm's scale is the root of the variance and eps, and y is computed from it", "[nn][hooks]") {
  Rng rng(9);
  const Norm norm(16);
  const Tensor x = randn({3, 16}, rng, 0.01);  // a variance at which eps counts
  Tensor scale;
  norm(x, Hooks{{"hook_scale", [&](const Tensor& s) { return scale = s, Tensor(); }}});
  CHECK(difference(scale.array(), sqrt(var(x, {-1}, true) + 1e-5).array()) < kRounding);
  const Tensor halved = norm(x, Hooks{{"hook_scale", [](const Tensor& s) { return s * 2; }}});
  CHECK(difference((halved * 2).array(), norm(x).array()) < 10 * kRounding);
}
