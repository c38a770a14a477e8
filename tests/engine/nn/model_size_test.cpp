#include "headlight/nn/model_size.h"

#include "catch.h"
#include "headlight/nn/check_model.h"
#include "headlight/nn/layers.h"
#include "headlight/nn/transformer.h"
#include "headlight/system/system.h"

using namespace headlight;

namespace {

// The parameters that a model of this config has, over those that size_of_model computes.
double parameters_over_computed(const nn::TransformerConfig& config) {
  Rng rng(0);
  const nn::Transformer model(config, rng);
  return static_cast<double>(nn::parameter_count(nn::named_parameters(model))) /
         nn::size_of_model(config).numbers();
}

}  // namespace

TEST_CASE("the parameters of a model are counted before it is made", "[nn]") {
  nn::TransformerConfig config{.n_layers = 3, .d_model = 64, .d_vocab = 100, .n_ctx = 48};
  SECTION("attention only") {}
  SECTION("MLPs") {
    config.d_mlp = 256;
    config.bias = true;
    config.mlp = GENERATE("gelu", "swiglu");
  }
  SECTION("tied embeddings, shared keys, wide heads") {
    config.tied_embeddings = true;
    config.n_kv_heads = 2;
    config.d_head = 48;
  }
  SECTION("encoder-decoder") {
    config.architecture = nn::Architecture::encoder_decoder;
    config.n_source = 32;
    config.d_mlp = 128;
  }
  for (const std::string& positions : nn::positions().names()) {
    config.positions = positions;
    INFO(positions);
    CHECK(parameters_over_computed(config) >
          0.8);  // tables of positions that are no parameters are counted as well
    CHECK(parameters_over_computed(config) < 1.1);
  }
}

TEST_CASE("a model that no memory holds is refused before it is made", "[nn]") {
  nn::TransformerConfig config;
  config.d_vocab = std::size_t{1} << 62;
  const std::string error = error_of([&] { nn::check_model(config); });
  CHECK(contains(
      error,
      "a model of 4611686018427387904 tokens, 2 layers and d_model = 64 needs about more than a million GB"));
  CHECK(contains(error, "Hint: choose a smaller d_vocab"));
}
