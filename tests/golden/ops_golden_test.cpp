// Single ops against PyTorch.
#include <map>

#include "golden/golden.h"
#include "headlight/autograd/backward.h"
#include "headlight/ops/elementwise.h"
#include "headlight/ops/layer_norm.h"
#include "headlight/ops/softmax.h"

using namespace headlight;
using golden::Case;

TEST_CASE("layer norm agrees with PyTorch", "[golden]") {
  golden::each_case("layer_norm.json", 3, [](Case& c) {
    const bool affine = c.has("inputs", "w");
    const Tensor x = c.input("x"), w = affine ? c.input("w") : Tensor(), b = affine ? c.input("b") : Tensor();
    const Tensor y = layer_norm(x, w, b, c.setting<double>("eps"));
    backward(y, {.cotangent = c.constant("cotangent")});
    c.agrees("y", y.array());
    c.gradients_agree();
  });
}

TEST_CASE("both forms of gelu agree with PyTorch", "[golden]") {
  golden::each_case("gelu.json", 2, [](Case& c) {
    const Tensor y = gelu(c.input("x"), c.setting<std::string>("form") == "erf" ? Gelu::erf : Gelu::tanh);
    backward(y, {.cotangent = c.constant("cotangent")});
    c.agrees("y", y.array());
    c.gradients_agree();
  });
}

TEST_CASE("cross-entropy agrees with PyTorch about ignored positions", "[golden]") {
  const std::map<std::string, Reduction> reductions{
      {"none", Reduction::none}, {"mean", Reduction::mean}, {"sum", Reduction::sum}};
  golden::each_case("cross_entropy.json", 5, [&](Case& c) {
    const CrossEntropyOptions options{.ignore_index = c.setting<std::int32_t>("ignore_index"),
                                      .reduction = reductions.at(c.setting<std::string>("reduction"))};
    const Tensor loss = cross_entropy(c.input("logits"), c.integers("targets"), options);
    backward(loss, {.cotangent = c.constant("cotangent")});
    c.agrees("loss", loss.array());
    c.gradients_agree();
  });
}
