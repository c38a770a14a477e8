// The bound from the weights against every input tried.
#include "headlight/interpret/weights_bound.h"

#include <cmath>
#include <map>
#include <set>

#include "catch.h"
#include "headlight/interpret/all_inputs.h"
#include "headlight/nn/by_hand.h"
#include "proofs/bounded_case.h"
#include "subjects.h"

using namespace headlight;
using namespace headlight::interpret;

namespace {

nn::TransformerConfig two_heads() {
  return {.d_model = 12, .n_heads = 1, .d_vocab = 6, .n_ctx = 16, .norm = nn::NormKind::none};
}

// Random weights, large enough for sharp patterns.
nn::Transformer sharp(const nn::TransformerConfig& config, std::uint64_t seed) {
  Rng rng(seed);
  nn::Transformer model(config, rng);
  for (auto& [name, weights] : nn::named_parameters(model)) weights.mutable_array() *= Real(1.5);
  return model;
}

}  // namespace

TEST_CASE("no bound is above the accuracy, and with all tokens fixed it is the accuracy",
          "[interpret][weights_bound][long]") {
  ThreadPool pool(2);
  const tasks::Task task = small_repeats(6);
  std::uint64_t earlier = 0;
  for (const char* positions : {"rotary", "learned", "sinusoidal", "none"})
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      nn::TransformerConfig config = two_heads();
      config.positions = positions, config.tied_embeddings = seed == 2;
      const nn::Transformer model = sharp(config, seed);
      const AllInputs all = try_all_inputs(model, task, 5, pool);
      INFO(positions << ", seed " << seed);
      std::uint64_t before = 0;
      for (std::size_t known = 2; known <= 4; ++known) {
        const WeightsBound bound = bound_from_weights(model, task, 5, known, pool);
        CHECK(bound.inputs == all.inputs);
        CHECK(bound.proven() <= all.right);
        CHECK(bound.proven() >= before);
        before = bound.proven();
        if (known < 4) earlier += before;
        if (known == 4) CHECK(before == all.right);
      }
    }
  CHECK(earlier > 0);
}

TEST_CASE("each step of the bound holds on every input", "[interpret][weights_bound]") {
  ThreadPool pool(2);
  const nn::Transformer model = sharp(two_heads(), 1);
  const WeightsBound bound = bound_from_weights(model, small_repeats(6), 5, 2, pool);
  std::map<std::vector<std::size_t>, CaseBound> least;  // by A, B and their place
  for (std::int32_t index = 0; index < 6 * 6 * 6 * 6; ++index) {
    const std::vector<std::int32_t> t = {index % 6, index / 6 % 6, index / 36 % 6, index / 216};
    if (std::set<std::int32_t>(t.begin(), t.end()).size() < 4) continue;
    for (std::size_t place = 0; place < 3; ++place) {
      const auto a = static_cast<std::size_t>(t[place]), b = static_cast<std::size_t>(t[place + 1]);
      const CachedRun run = run_with_cache(model, IntArray{{t[0], t[1], t[2], t[3], t[place]}},
                                           [](const std::string&) { return true; });
      const Array &first = run.cache["blocks.0.attn.hook_pattern"],
                  &scores = run.cache["blocks.1.attn.hook_attn_scores"],
                  &second = run.cache["blocks.1.attn.hook_pattern"];
      CaseBound& found = least.try_emplace({a, b, place}, CaseBound{1, 1e9, 1, 1e9}).first->second;
      found.previous = std::min<double>(found.previous, first(0, 0, place + 1, place));
      found.weight = std::min<double>(found.weight, second(0, 0, 4, place + 1));
      for (std::size_t j = 0; j < 5; ++j)
        if (j != place + 1)
          found.lead = std::min<double>(found.lead, scores(0, 0, 4, place + 1) - scores(0, 0, 4, j));
      for (std::size_t v = 0; v < 6; ++v)
        if (v != b) found.margin = std::min<double>(found.margin, run.logits(0, 4, b) - run.logits(0, 4, v));
    }
  }
  const auto check_term = [&](const char* name, const BoundTerm& term, double CaseBound::*number) {
    INFO(name);
    BoundTerm seen{1e9, 0};
    for (const auto& [key, found] : least) {
      seen.least = std::min(seen.least, found.*number);
      seen.mean += found.*number / static_cast<double>(least.size());
    }
    CHECK(term.least <= seen.least + 1e-4);
    CHECK(term.mean <= seen.mean + 1e-4);
    CHECK(term.mean > seen.mean - 12);
    CHECK(term.mean > term.least);
  };
  check_term("previous", bound.previous, &CaseBound::previous);
  check_term("lead", bound.lead, &CaseBound::lead);
  check_term("weight", bound.weight, &CaseBound::weight);
  check_term("margin", bound.margin, &CaseBound::margin);
}

TEST_CASE("of a model that is set by hand, A and B alone prove every input", "[interpret][weights_bound]") {
  ThreadPool pool(2);
  const nn::InductionByHand whole{.d_vocab = 6, .n_ctx = 16, .n_heads = 1};
  const WeightsBound bound = bound_from_weights(nn::induction_by_hand(whole), small_repeats(6), 5, 2, pool);
  CHECK(bound.proven() == bound.inputs);
  REQUIRE(bound.levels.size() == 1);
  CHECK(bound.levels[0].cases == 6 * 5 * 3);
  CHECK(std::abs(bound.previous.least - 1) < 1e-6);
  CHECK(std::abs(bound.lead.least - 40) < 1e-3);
  CHECK(std::abs(bound.weight.mean - 1) < 1e-6);
  CHECK(std::abs(bound.margin.least - 20) < 1e-3);
  nn::InductionByHand broken = whole;
  broken.broken = nn::Broken::copying;
  CHECK(bound_from_weights(nn::induction_by_hand(broken), small_repeats(6), 5, 4, pool).proven() == 0);
}

TEST_CASE("a bound is refused for other models", "[interpret][weights_bound]") {
  ThreadPool pool(1);
  const tasks::Task task = small_repeats(6);
  nn::TransformerConfig config = two_heads();
  CHECK(error_of([&] { bound_from_weights(sharp(config, 0), task, 5, 5, pool); }) ==
        "[certify] expected 2 to 4 known tokens of inputs of 5, got 5.");
  config.n_heads = 2, config.norm = nn::NormKind::layer, config.bias = true;
  CHECK(error_of([&] { bound_from_weights(sharp(config, 0), task, 5, 2, pool); }) ==
        "[certify] a bound from the weights is for two layers with one head each, without norms, biases and "
        "positions in queries and keys; the model has 2 layers, 2 heads, norm layer, rotary positions and "
        "biases.");
  config = two_heads(), config.positions = "learned-qk";
  CHECK(contains(error_of([&] { bound_from_weights(sharp(config, 0), task, 5, 2, pool); }),
                 "learned-qk positions."));
}
