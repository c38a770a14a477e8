// Attention, a block and whole models against PyTorch.
#include "golden/golden.h"
#include "headlight/autograd/backward.h"
#include "headlight/autograd/record.h"
#include "headlight/nn/transformer.h"
#include "headlight/ops/softmax.h"

using namespace headlight;
using golden::Case;

namespace {

using Size = std::size_t;

// (B,m) to (B,1,1,m): what every head and query of a sequence may see.
BoolArray visible_keys(const IntArray& visible) {
  BoolArray mask({visible.shape()[0], 1, 1, visible.shape()[1]}, false);
  for (Size i = 0; i < mask.size(); ++i) mask.data()[i] = visible.data()[i] != 0;
  return mask;
}

nn::Transformer untrained_model_of(Case& c) {
  Rng rng(1);
  const bool other = c.has("settings", "architecture");
  return nn::Transformer(
      {.architecture = other ? nn::architectures().find(c.setting<std::string>("architecture"))
                             : nn::Architecture::decoder,
       .n_layers = c.setting<Size>("n_layers"),
       .d_model = c.setting<Size>("d_model"),
       .n_heads = c.setting<Size>("n_heads"),
       .d_mlp = c.setting<Size>("d_mlp"),
       .d_vocab = c.setting<Size>("d_vocab"),
       .n_ctx = c.setting<Size>("n_ctx"),
       .n_source = other ? c.setting<Size>("n_source") : 0,
       .positions = c.setting<std::string>("positions"),
       .bias = c.setting<bool>("bias")},
      rng);
}

}  // namespace

TEST_CASE("multi-head attention agrees with PyTorch", "[golden]") {
  golden::each_case("attention.json", 6, [](Case& c) {
    Rng rng(1);
    nn::MultiHeadAttention attention({.d_model = c.setting<Size>("d_model"),
                                      .n_heads = c.setting<Size>("n_heads"),
                                      .d_head = c.setting<Size>("d_head"),
                                      .d_value = c.setting<Size>("d_value"),
                                      .d_memory = c.setting<Size>("d_memory"),
                                      .bias = true,
                                      .causal = c.setting<bool>("causal")},
                                     rng);
    c.load(attention);
    const bool cross = c.has("inputs", "key");
    const Tensor query = c.input("query"), key = cross ? c.input("key") : query,
                 value = cross ? c.input("value") : query;
    AttentionOptions call;
    if (c.has("inputs", "visible")) call.mask = visible_keys(c.integers("visible"));
    if (c.has("inputs", "bias")) call.bias = c.input("bias");

    const Tensor out = attention(query, key, value, call);
    backward(out, {.cotangent = c.constant("cotangent")});
    c.agrees("output", out.array());
    c.gradients_agree();

    const NoGrad no_grad;
    attention(query, key, value, call, nn::Hooks{{"hook_pattern", [&c](const Tensor& pattern) {
                                                    c.agrees("pattern", pattern.array());
                                                    return Tensor();
                                                  }}});
  });
}

TEST_CASE("a transformer block agrees with PyTorch", "[golden]") {
  golden::each_case("block.json", 2, [](Case& c) {
    Rng rng(1);
    nn::Block block({.d_model = c.setting<Size>("d_model"),
                     .n_heads = c.setting<Size>("n_heads"),
                     .d_mlp = c.setting<Size>("d_mlp"),
                     .positions = "none",
                     .bias = c.setting<bool>("bias")},
                    rng);
    c.load(block);
    const Tensor out = block(c.input("x"));
    backward(out, {.cotangent = c.constant("cotangent")});
    c.agrees("output", out.array());
    c.gradients_agree();
  });
}

TEST_CASE("models name their parameters as the files from PyTorch do", "[golden]") {
  for (const char* file : {"model.json", "encoder_decoder.json"})
    for (auto& [name, c] : golden::cases_of(file)) {
      INFO(file << ": " << name);
      nn::Transformer model = untrained_model_of(c);
      std::vector<std::string> computed;
      for (const auto& [parameter_name, parameter] : nn::named_parameters(model))
        computed.push_back(parameter_name);
      CHECK(computed == c.names("parameters"));
      CHECK(computed == c.names("gradients"));
    }
}

TEST_CASE("whole models agree with PyTorch in loss and every gradient", "[golden]") {
  golden::each_case("model.json", 3, [](Case& c) {
    nn::Transformer model = untrained_model_of(c);
    c.load(model);
    const Tensor logits = model(c.integers("tokens"));
    const Tensor loss = cross_entropy(logits, c.integers("targets"));
    loss.backward();
    c.agrees("logits", logits.array());
    c.agrees("loss", loss.array());
    c.gradients_agree();
  });
}

TEST_CASE("encoders and encoder–decoders agree with PyTorch in loss and every gradient", "[golden]") {
  golden::each_case("encoder_decoder.json", 4, [](Case& c) {
    nn::Transformer model = untrained_model_of(c);
    c.load(model);
    nn::Given given;
    if (c.has("inputs", "source")) given.source = c.integers("source");
    const Tensor logits = model(c.integers("tokens"), {}, given);
    const Tensor loss = cross_entropy(logits, c.integers("targets"));
    loss.backward();
    c.agrees("logits", logits.array());
    c.agrees("loss", loss.array());
    c.gradients_agree();
  });
}
