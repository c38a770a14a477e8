// Positions and norms.
#include "catch.h"
#include "headlight/ops/ops.h"
#include "subject.h"

using namespace headlight;
using namespace headlight::nn;

TEST_CASE("positions and norms can be chosen by name", "[nn]") {
  for (const auto& entry : positions().entries()) {
    CHECK(to_string(positions_from(entry.name)) == entry.name);
    CHECK_FALSE(entry.help.empty());
  }
  CHECK(positions().names() == std::vector<std::string>{"rotary", "learned", "learned-qk", "none"});
  for (const auto& entry : norms().entries()) CHECK(to_string(norm_from(entry.name)) == entry.name);
  CHECK(norms().names() == std::vector<std::string>{"layer", "none"});
  CHECK(
      contains(error_of([] { norm_from("lair"); }), "unknown kind of norm 'lair': expected layer or none."));
}

TEST_CASE("without a norm a block is what it adds to its input, and has no norm's parameters", "[nn]") {
  const Subject s(Positions::none, NormKind::none);
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
