// Which models and inputs the proofs refuse. Each model below differs in one part from one that they accept.
#include <functional>
#include <set>

#include "catch.h"
#include "headlight/interpret/all_inputs.h"
#include "headlight/interpret/weights_bound.h"
#include "headlight/nn/settings.h"
#include "interpret/subjects.h"

using namespace headlight;
using namespace headlight::interpret;

namespace {

using ModelConfig = nn::TransformerConfig;

// Both proofs accept it.
ModelConfig two_single_heads() {
  return {.d_model = 12, .n_heads = 1, .d_vocab = 5, .n_ctx = 16, .norm = nn::NormKind::none};
}

struct RefusedPart {
  std::string key, named;  // its setting, and how the refusal names it
  std::function<void(ModelConfig&)> add;
};

const std::vector<RefusedPart>& parts_without_bound() {
  static const std::vector<RefusedPart> all = {
      {"architecture", "encoder attention",
       [](ModelConfig& c) { c.architecture = nn::Architecture::encoder; }},
      {"architecture", "encoder-decoder attention",
       [](ModelConfig& c) { c.architecture = nn::Architecture::encoder_decoder, c.n_source = 4; }},
      {"d_mlp", "MLPs", [](ModelConfig& c) { c.d_mlp = 16; }},
      {"positions", "alibi positions", [](ModelConfig& c) { c.positions = "alibi"; }},
      {"positions", "relative positions", [](ModelConfig& c) { c.positions = "relative"; }},
      {"positions", "t5 positions", [](ModelConfig& c) { c.positions = "t5"; }},
      {"n_kv_heads", "shared keys and values", [](ModelConfig& c) { c.n_heads = 2, c.n_kv_heads = 1; }},
      {"fused_qkv", "one matrix for queries, keys and values", [](ModelConfig& c) { c.fused_qkv = true; }},
      {"qk_norm", "norms of queries and keys", [](ModelConfig& c) { c.qk_norm = nn::NormKind::layer; }},
      {"qk_norm", "norms of queries and keys", [](ModelConfig& c) { c.qk_norm = nn::NormKind::rms; }},
      {"window", "a window", [](ModelConfig& c) { c.window = 3; }},
      {"sinks", "sinks", [](ModelConfig& c) { c.sinks = true; }},
      {"score_cap", "a bound on scores", [](ModelConfig& c) { c.score_cap = 2; }},
      {"smeared_keys", "smeared keys", [](ModelConfig& c) { c.smeared_keys = true; }},
  };
  return all;
}

std::string answer_of_tries(const ModelConfig& config, std::size_t length = 4) {
  ThreadPool pool(1);
  Rng rng(0);
  const nn::Transformer model(config, rng);
  return error_of([&] { try_all_inputs(model, small_repeats(config.d_vocab), length, pool); });
}

std::string answer_of_bound(const ModelConfig& config, std::size_t length = 4, std::size_t known = 2) {
  ThreadPool pool(1);
  Rng rng(0);
  const nn::Transformer model(config, rng);
  return error_of([&] { bound_from_weights(model, small_repeats(config.d_vocab), length, known, pool); });
}

}  // namespace

TEST_CASE("each part of a model that no bound covers is refused by its name", "[interpret][all_inputs]") {
  for (const RefusedPart& part : parts_without_bound()) {
    INFO(part.named);
    ModelConfig config = two_single_heads();
    part.add(config);
    const std::string refusal = "[certify] rounding cannot be bounded for a model with " + part.named +
                                ". Hint: it can for a decoder of attention only, with rotary, learned, "
                                "sinusoidal or no positions.";
    CHECK(answer_of_tries(config) == refusal);
    CHECK(answer_of_bound(config) == refusal);
  }
}

TEST_CASE("each setting of a model is refused, or known to the proofs", "[interpret][all_inputs]") {
  // Compared with the engine in all_inputs_test.cpp, or without effect: `mlp` and `max_distance` without MLPs
  // and relative positions, `dropout` after training.
  std::set<std::string> decided = {"n_layers", "n_heads",    "d_model",        "d_head",
                                   "norm",     "norm_place", "bias",           "max_distance",
                                   "mlp",      "dropout",    "tied_embeddings"};
  for (const RefusedPart& part : parts_without_bound()) decided.insert(part.key);
  for (const auto& setting : nn::settings()) {
    INFO(setting.key);
    CHECK(decided.contains(setting.key));
  }
  std::set<std::string> positions = {"rotary", "learned", "learned-qk", "sinusoidal",
                                     "none",   "alibi",   "relative",   "t5"};
  for (const std::string& name : nn::positions().names()) {
    INFO(name);
    CHECK(positions.contains(name));
  }
}

TEST_CASE("a bound from the weights refuses each other shape of model", "[interpret][weights_bound]") {
  const auto refusal = [](const std::function<void(ModelConfig&)>& change) {
    ModelConfig config = two_single_heads();
    change(config);
    return answer_of_bound(config);
  };
  const std::string start =
      "[certify] a bound from the weights is for two layers with one head each, without norms, biases and "
      "positions in queries and keys; the model has ";
  CHECK(refusal([](ModelConfig& c) { c.n_layers = 1; }) ==
        start + "1 layers, 1 heads, norm none, rotary positions.");
  CHECK(refusal([](ModelConfig& c) { c.n_layers = 3; }) ==
        start + "3 layers, 1 heads, norm none, rotary positions.");
  CHECK(refusal([](ModelConfig& c) { c.n_heads = 2; }) ==
        start + "2 layers, 2 heads, norm none, rotary positions.");
  CHECK(refusal([](ModelConfig& c) { c.norm = nn::NormKind::layer; }) ==
        start + "2 layers, 1 heads, norm layer, rotary positions.");
  CHECK(refusal([](ModelConfig& c) { c.norm = nn::NormKind::rms; }) ==
        start + "2 layers, 1 heads, norm rms, rotary positions.");
  CHECK(refusal([](ModelConfig& c) { c.bias = true; }) ==
        start + "2 layers, 1 heads, norm none, rotary positions and biases.");
  CHECK(refusal([](ModelConfig& c) { c.positions = "learned-qk"; }) ==
        start + "2 layers, 1 heads, norm none, learned-qk positions.");
}

TEST_CASE("inputs that cannot be tried are named", "[interpret][all_inputs]") {
  ModelConfig config = two_single_heads();
  for (const auto& answer : {answer_of_tries(config, 2), answer_of_bound(config, 2)})
    CHECK(answer == "[certify] expected inputs of at least 3 tokens, got 2.");
  for (const auto& answer : {answer_of_tries(config, 7), answer_of_bound(config, 7)})
    CHECK(answer == "[certify] expected at least 6 tokens for inputs of 7, got 5.");
  CHECK(answer_of_bound(config, 5, 5) == "[certify] expected 2 to 4 known tokens of inputs of 5, got 5.");
  CHECK(answer_of_bound(config, 5, 1) == "[certify] expected 2 to 4 known tokens of inputs of 5, got 1.");
  config.d_vocab = 30;
  for (const auto& answer : {answer_of_tries(config, 17), answer_of_bound(config, 17)})
    CHECK(answer == "[certify] expected inputs of up to 16 tokens, the model's context, got 17.");
  config.d_vocab = 64;
  for (const auto& answer : {answer_of_tries(config, 6), answer_of_bound(config, 6)})
    CHECK(answer ==
          "[certify] 64 tokens have 3.7e+09 inputs of length 6, and at most 1e+08 are tried. Hint: choose "
          "shorter inputs, or a model with fewer tokens.");
}

TEST_CASE("numbers beyond double precision are refused", "[interpret][all_inputs]") {
  ThreadPool pool(1);
  const auto largest = [](std::size_t layers) {
    Rng rng(0);
    ModelConfig config = two_single_heads();
    config.n_layers = layers;
    nn::Transformer model(config, rng);
    for (auto& [name, weights] : nn::named_parameters(model)) weights.mutable_array().fill(Real(3e38));
    return model;
  };
  const std::string refusal = "[certify] expected numbers below 1e+300, got one that is too large";
  CHECK(contains(error_of([&] { try_all_inputs(largest(4), small_repeats(5), 4, pool); }), refusal));
  CHECK(contains(error_of([&] { bound_from_weights(largest(2), small_repeats(5), 4, 2, pool); }), refusal));
}
