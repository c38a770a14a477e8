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

// An exact circuit whose logit of token 3 has three numbers added in this order: large, extra, -large.
nn::Transformer favouring(double large, double extra) {
  const nn::InductionByHand options{.d_vocab = 8, .n_ctx = 16, .n_heads = 1};
  nn::Transformer model = nn::induction_by_hand(options);
  const std::size_t spare = nn::stream_by_hand(options).pointer.first;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t token = 0; token < 8; ++token) model.embed.W.mutable_array()(token, spare + i) = 1;
    model.unembed.W.mutable_array()(spare + i, 3) = static_cast<Real>(i == 0   ? large
                                                                      : i == 1 ? extra
                                                                               : -large);
  }
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

TEST_CASE("what double precision loses of large numbers is in the bound", "[interpret][weights_bound]") {
  ThreadPool pool(2);
  const tasks::Task task = small_repeats(8);
  // In exact arithmetic 1000 is left and token 3 always said, which is right for an eighth of the inputs.
  const nn::Transformer lost = favouring(0x1p80, 1000);
  const WeightsBound bound = bound_from_weights(lost, task, 5, 3, pool);
  CHECK(bound.proven() <= bound.inputs / 8);
  const AllInputs all = try_all_inputs(lost, task, 5, pool);
  CHECK(all.right <= all.inputs / 8);
  // Where little is lost, 10 less than the circuit's 20 is proven.
  const WeightsBound kept = bound_from_weights(favouring(0x1p30, 10), task, 5, 3, pool);
  CHECK(kept.proven() == kept.inputs);
  CHECK(std::abs(kept.margin.least - 10) < 1e-3);
}
