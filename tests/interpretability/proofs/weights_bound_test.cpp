// The bound from the weights against every input tried.
#include "headlight/interpret/weights_bound.h"

#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "catch.h"
#include "headlight/interpret/all_inputs.h"
#include "headlight/nn/by_hand.h"
#include "interpret/subjects.h"
#include "proofs/bounded_case.h"

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

// An exact circuit of which one number has three others added, in this order: large, extra, -large. They are
// in a column of W, which reads the stream or writes the logits.
nn::Transformer with_large(double large, double extra, std::size_t column,
                           const std::function<Tensor(nn::Transformer&)>& W) {
  const nn::InductionByHand options{.d_vocab = 8, .n_ctx = 16, .n_heads = 1};
  nn::Transformer model = nn::induction_by_hand(options);
  const std::size_t spare = nn::stream_by_hand(options).pointer.first;
  Tensor matrix = W(model);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t token = 0; token < 8; ++token) model.embed.W.mutable_array()(token, spare + i) = 1;
    matrix.mutable_array()(spare + i, column) = static_cast<Real>(i == 0 ? large : i == 1 ? extra : -large);
  }
  return model;
}

// It adds to the logit of token 3.
nn::Transformer favouring(double large, double extra) {
  return with_large(large, extra, 3, [](nn::Transformer& m) { return m.unembed.W; });
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
  const auto check_term = [&](const char* name, const BoundTerm& term, double CaseBound::*number,
                              const BoundTerm& known) {
    INFO(name);
    BoundTerm seen{1e9, 0};
    for (const auto& [key, found] : least) {
      seen.least = std::min(seen.least, found.*number);
      seen.mean += found.*number / static_cast<double>(least.size());
    }
    CHECK(term.least <= seen.least + 1e-4);
    CHECK(term.mean <= seen.mean + 1e-4);
    // What it was when it was measured once: a bound that leaves less shows here.
    CHECK(std::abs(term.least - known.least) < 1e-4 * std::abs(known.least));
    CHECK(std::abs(term.mean - known.mean) < 1e-4 * std::abs(known.mean));
  };
  check_term("previous", bound.previous, &CaseBound::previous, {0.0424346, 0.303605});
  check_term("lead", bound.lead, &CaseBound::lead, {-14.1584, -5.8223});
  check_term("weight", bound.weight, &CaseBound::weight, {5.46297e-07, 0.0162602});
  check_term("margin", bound.margin, &CaseBound::margin, {-23.4327, -13.1832});
}

TEST_CASE("a bound proves as much as when it was measured", "[interpret][weights_bound]") {
  ThreadPool pool(2);
  const auto levels_of = [&](const char* positions, std::uint64_t seed, std::size_t length) {
    nn::TransformerConfig config = two_heads();
    config.positions = positions;
    std::vector<std::uint64_t> numbers;
    for (const BoundLevel& level :
         bound_from_weights(sharp(config, seed), small_repeats(6), length, 4, pool).levels)
      for (const std::uint64_t number : {std::uint64_t{level.known}, level.cases, level.proven})
        numbers.push_back(number);
    return numbers;
  };
  CHECK(levels_of("rotary", 1, 5) == std::vector<std::uint64_t>{2, 90, 0, 3, 360, 21, 4, 1059, 159});
  CHECK(levels_of("learned", 1, 5) == std::vector<std::uint64_t>{2, 90, 0, 3, 360, 15, 4, 1065, 175});
  CHECK(levels_of("rotary", 1, 6) == std::vector<std::uint64_t>{2, 120, 0, 3, 480, 6, 4, 1437, 72});
}

TEST_CASE("what is lost in any matrix is in the bound", "[interpret][weights_bound]") {
  ThreadPool pool(2);
  const std::size_t token = 3, position = 8 + 1;  // coordinates of a head set by hand
  struct Lost {
    const char* name;
    std::size_t column;
    std::function<Tensor(nn::Transformer&)> W;
  };
  const std::vector<Lost> all = {
      {"queries of layer 0", position, [](nn::Transformer& m) { return m.blocks[0].attn.W_Q; }},
      {"keys of layer 0", position, [](nn::Transformer& m) { return m.blocks[0].attn.W_K; }},
      {"values of layer 0", token, [](nn::Transformer& m) { return m.blocks[0].attn.W_V; }},
      {"queries of layer 1", token, [](nn::Transformer& m) { return m.blocks[1].attn.W_Q; }},
      {"keys of layer 1", token, [](nn::Transformer& m) { return m.blocks[1].attn.W_K; }},
      {"values of layer 1", token, [](nn::Transformer& m) { return m.blocks[1].attn.W_V; }}};
  for (const Lost& lost : all) {
    INFO(lost.name);
    const nn::Transformer model = with_large(0x1p80, 1000, lost.column, lost.W),
                          harmless = with_large(0x1p20, 0, lost.column, lost.W);
    const WeightsBound bound = bound_from_weights(model, small_repeats(8), 4, 2, pool);
    CHECK(bound.proven() < bound.inputs);
    const WeightsBound kept = bound_from_weights(harmless, small_repeats(8), 4, 2, pool);
    CHECK(kept.proven() == kept.inputs);
  }
  // A position that a token's number swallows: half of the last digit of 2^47, for the logit of token 3.
  nn::Transformer model = with_large(0x1p47, 0, 3, [](nn::Transformer& m) { return m.unembed.W; });
  const std::size_t spare = model.embed.W.length(1) - 16;  // the first of the pointer's coordinates
  for (std::size_t t = 0; t < 8; ++t) model.embed.W.mutable_array()(t, spare + 3) = Real(0x1p47);
  for (std::size_t p = 0; p < 16; ++p) model.W_pos.mutable_array()(p, spare + 3) = Real(0x1p-6);
  CHECK(bound_from_weights(model, small_repeats(8), 4, 2, pool).proven() > 0);
  model.unembed.W.mutable_array()(spare + 3, 3) = Real(0x1p12);  // 2^59 + 2^6
  model.unembed.W.mutable_array()(spare, 3) = Real(-0x1p59);
  for (const std::size_t i : {1, 2}) model.unembed.W.mutable_array()(spare + i, 3) = 0;
  CHECK(bound_from_weights(model, small_repeats(8), 4, 2, pool).proven() == 0);
}

TEST_CASE("equal logits prove nothing", "[interpret][weights_bound]") {
  ThreadPool pool(1);
  nn::Transformer model = nn::induction_by_hand({.d_vocab = 6, .n_ctx = 16, .n_heads = 1});
  model.unembed.W.mutable_array().fill(0);
  CHECK(bound_from_weights(model, small_repeats(6), 5, 4, pool).proven() == 0);
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
