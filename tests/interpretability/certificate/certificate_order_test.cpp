// The certificate's claim of order, of a circuit set by hand that forms little by little.
#include <fmt/core.h>

#include <set>

#include "catch.h"
#include "headlight/interpret/certificate.h"
#include "headlight/interpret/repeated_sequences.h"
#include "headlight/nn/by_hand.h"
#include "headlight/train/evaluate.h"
#include "headlight/train/weights.h"

using namespace headlight;
using namespace headlight::interpret;

namespace {

constexpr std::size_t kFormed = 32;  // vocabulary and context

// How sharply the heads of both layers look, and which part of the vocabulary has logits.
struct Stage {
  std::int64_t step;
  double previous, induction, vocabulary;
};

train::Weights weights_at(const nn::Transformer& model, const Stage& stage) {
  train::Weights weights = train::weights_of(model);
  for (const auto& [name, factor] :
       {std::pair{"blocks.0.attn.W_Q", stage.previous}, {"blocks.1.attn.W_Q", stage.induction}})
    for (Real& x : weights.at(name)) x *= static_cast<Real>(factor);
  Array& logits = weights.at("unembed.W_U");
  for (std::size_t i = 0; i < logits.shape()[0]; ++i)
    for (std::size_t v = 0; v < kFormed; ++v)
      if (static_cast<double>(v) >= stage.vocabulary * kFormed) logits(i, v) = 0;
  return weights;
}

// Of layer 0's head: its mean weight on the token before. Of layer 1's: on followers, of the first eight
// sequences.
double mean_weight(const nn::Transformer& model, const RepeatedSequences& repeats, bool repeated,
                   std::size_t layer) {
  const IntArray tokens = repeated ? repeats.repeated.tokens : repeats.control.tokens;
  const ActivationCache patterns = run_with_cache(model, tokens).cache;
  const Array& pattern = patterns[pattern_name(layer)];
  double sum = 0, count = 0;
  if (layer == 0)
    for (std::size_t b = 0; b < 8; ++b)
      for (std::size_t i = 1; i < kFormed; ++i) sum += static_cast<double>(pattern(b, 0, i, i - 1)), ++count;
  std::set<std::pair<std::size_t, std::size_t>> queries;
  for (const Follower& f : repeats.followers)
    if (layer == 1 && f.sequence < 8) {
      sum += static_cast<double>(pattern(f.sequence, 0, f.query, f.key));
      queries.insert({f.sequence, f.query});
    }
  return sum / (layer == 0 ? count : static_cast<double>(queries.size()));
}

Certificate formed(const nn::InductionByHand& options, const std::vector<Stage>& stages) {
  const nn::Transformer model = nn::induction_by_hand(options);
  std::vector<train::Snapshot> snapshots;
  for (const Stage& stage : stages) snapshots.push_back({stage.step, weights_at(model, stage)});
  ThreadPool pool(2);
  return certify(model, tasks::make_task({.d_vocab = kFormed, .n_ctx = kFormed}), Rng(3), pool,
                 {.sequences = 10, .snapshots = &snapshots});
}

}  // namespace

TEST_CASE("a claim of order names the first steps past a tenth and past the half",
          "[interpret][certificate]") {
  const std::vector<Stage> stages{{0, 0, 0, 0},        {10, 0.0135, 0, 0}, {20, 0.0275, 0, 0},
                                  {30, 1, 0.062, 0.3}, {40, 1, 0.08, 0.4}, {50, 1, 1, 0.6},
                                  {60, 1, 1, 1}};
  const nn::InductionByHand options{.d_vocab = kFormed, .n_ctx = kFormed, .n_heads = 1};
  const Certificate c = formed(options, stages);
  REQUIRE(c.formation.size() == stages.size());
  const tasks::Task task = tasks::make_task({.d_vocab = kFormed, .n_ctx = kFormed});
  const RepeatedSequences own = *own_repeats(task, 10, Rng(3).stream("certificate, test"));
  for (std::size_t i = 0; i < stages.size(); ++i) {
    nn::Transformer model = nn::induction_by_hand(options);
    train::set_weights(model, weights_at(model, stages[i]), "here");
    const Formation& at = c.formation[i];
    CHECK(at.step == stages[i].step);
    CHECK(at.previous == Approx(mean_weight(model, own, true, 0)).epsilon(1e-5));
    CHECK(at.matching ==
          Approx(mean_weight(model, own, true, 1) - mean_weight(model, own, false, 1)).margin(1e-5));
    CHECK(at.accuracy ==
          *train::evaluate(model, tasks::batch_rows(own.repeated, 0, 8), nn::Hooks()).accuracy_predictable);
  }
  const auto part = [&](std::size_t i, double Formation::*value) {
    const double first = c.formation.front().*value, last = c.formation.back().*value;
    return (c.formation[i].*value - first) / (last - first);
  };
  REQUIRE((part(1, &Formation::previous) < 0.1 && part(2, &Formation::previous) >= 0.1));
  REQUIRE((part(2, &Formation::previous) < 0.2));  // not yet half
  REQUIRE((part(3, &Formation::matching) < 0.5 && part(4, &Formation::matching) >= 0.5));
  REQUIRE((part(3, &Formation::matching) > 0.4 && part(4, &Formation::matching) < 0.75));
  REQUIRE((part(4, &Formation::accuracy) < 0.5 && part(5, &Formation::accuracy) >= 0.5));
  const Claim& order = c.claim(kOrder);
  CHECK(*order.number == 20);
  CHECK(order.threshold == 40);
  CHECK(order.number_at_most);
  CHECK(order.standing == Standing::holds);
  CHECK(order.says ==
        "At step 20, the attention weight of L0H0 on the token before had made a tenth of its rise: it had "
        "begun. By step 40, half of the matching's rise was made. (Weights were kept of 7 steps.)");
}

TEST_CASE("the claim of order is not asked without composition, or of positions",
          "[interpret][certificate]") {
  const std::vector<Stage> two{{0, 0, 0, 0}, {1, 1, 1, 1}};
  const auto says = [&](nn::Broken broken, const std::vector<Stage>& stages) {
    const Certificate c =
        formed({.d_vocab = kFormed, .n_ctx = kFormed, .n_heads = 1, .broken = broken}, stages);
    CHECK(c.claim(kOrder).standing == Standing::not_asked);
    CHECK(c.formation.empty());
    return c.claim(kOrder).says;
  };
  CHECK(says(nn::Broken::matching, two) == "No composition was found whose parts could form.");
  CHECK(says(nn::Broken::through_queries, two) ==
        "The earlier heads of the circuit tell positions, not the token before.");
  CHECK(says(nn::Broken::nothing, {two[1]}) == "Nothing was kept along training.");
  CHECK(says(nn::Broken::nothing, {{700, 0, 0, 0}, {710, 1, 1, 1}}) ==
        "The first weights that were kept are of step 700.");
}

TEST_CASE("a claim of order is not asked where the weight on the token before hardly changed",
          "[interpret][certificate]") {
  const nn::InductionByHand options{.d_vocab = kFormed, .n_ctx = kFormed, .n_heads = 1};
  const auto order = [&](double before) {
    return formed(options, {{0, before, 0, 0}, {10, 1, 1, 1}, {20, 1, 1, 1}}).claim(kOrder);
  };
  CHECK(order(0.06).standing == Standing::holds);
  CHECK(order(0.2).standing == Standing::not_asked);
  CHECK(order(0.2).says ==
        "From the first step to the last, the attention weight of L0H0 on the token before "
        "changed by +0.01 only.");
}
