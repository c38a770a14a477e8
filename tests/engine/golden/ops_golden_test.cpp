// Single ops against PyTorch.
#include <map>

#include "golden/golden.h"
#include "headlight/autograd/backward.h"
#include "headlight/ops/ops.h"

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

TEST_CASE("rms norm agrees with PyTorch", "[golden]") {
  golden::each_case("rms_norm.json", 3, [](Case& c) {
    const Tensor w = c.has("inputs", "w") ? c.input("w") : Tensor();
    const Tensor y = rms_norm(c.input("x"), w, c.setting<double>("eps"));
    backward(y, {.cotangent = c.constant("cotangent")});
    c.agrees("y", y.array());
    c.gradients_agree();
  });
}

TEST_CASE("activations agree with PyTorch", "[golden]") {
  const std::map<std::string, Tensor (*)(const Tensor&)> of_one{
      {"relu", relu}, {"sigmoid", sigmoid}, {"silu", silu}};
  golden::each_case("activations.json", 4, [&](Case& c) {
    const std::string name = c.setting<std::string>("name");
    const Tensor x = c.input("x"), y = name == "swiglu" ? swiglu(x, c.input("u")) : of_one.at(name)(x);
    backward(y, {.cotangent = c.constant("cotangent")});
    c.agrees("y", y.array());
    c.gradients_agree();
  });
}

TEST_CASE("smeared keys agree with PyTorch", "[golden]") {
  golden::each_case("smear.json", 2, [](Case& c) {
    const Tensor y = smear(c.input("k"), c.input("alpha"));
    backward(y, {.cotangent = c.constant("cotangent")});
    c.agrees("y", y.array());
    c.gradients_agree();
  });
}

TEST_CASE("every part of attention agrees with PyTorch", "[golden]") {
  golden::each_case("attention_parts.json", 7, [](Case& c) {
    const auto given = [&](const char* name) { return c.has("inputs", name) ? c.input(name) : Tensor(); };
    AttentionOptions options{.causal = c.setting<bool>("causal"),
                             .bias = given("bias"),
                             .relative = {given("relative"), 0},
                             .n_heads = c.setting<std::size_t>("n_heads"),
                             .n_kv_heads = c.setting<std::size_t>("n_kv_heads"),
                             .sinks = given("sinks"),
                             .cap = c.setting<double>("cap"),
                             .dropout = c.setting<double>("dropout"),
                             .dropout_seed = c.setting<std::uint64_t>("seed"),
                             .first_query = c.setting<std::size_t>("first_query")};
    if (const auto window = c.setting<std::size_t>("window"); window > 0) options.window = window;
    const Tensor out = scaled_dot_product_attention(c.input("q"), c.input("k"), c.input("v"), options);
    backward(out, {.cotangent = c.constant("cotangent")});
    c.agrees("output", out.array());
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
  golden::each_case("cross_entropy.json", 8, [&](Case& c) {
    const CrossEntropyOptions options{.ignore_index = c.setting<std::int32_t>("ignore_index"),
                                      .reduction = reductions.at(c.setting<std::string>("reduction")),
                                      .label_smoothing = c.setting<double>("label_smoothing")};
    const Tensor loss = cross_entropy(c.input("logits"), c.integers("targets"), options);
    backward(loss, {.cotangent = c.constant("cotangent")});
    c.agrees("loss", loss.array());
    c.gradients_agree();
  });
}
