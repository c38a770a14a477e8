// Each number of a certificate, computed again from the draws by other means.
#include <fmt/core.h>

#include <cmath>
#include <set>

#include "catch.h"
#include "certificate/certificate_measurements.h"
#include "certificate/circuit_search.h"
#include "headlight/interpret/certificate.h"
#include "headlight/interpret/repeated_sequences.h"
#include "headlight/nn/by_hand.h"
#include "headlight/train/evaluate.h"

using namespace headlight;
using namespace headlight::interpret;

namespace {

constexpr std::size_t kSoftSize = 32, kSoftHeads = 3, kDrawn = 8;

// The circuit that is set by hand, so soft that none of its numbers is 0 or 1. Head 1 of layer 0 does a part
// of what head 0 does; the others of each layer write a little noise.
nn::Transformer soft_circuit() {
  nn::Transformer model =
      nn::induction_by_hand({.d_vocab = kSoftSize, .n_ctx = kSoftSize, .n_heads = kSoftHeads});
  const std::size_t width = 2 * kSoftSize;
  Rng rng(5);
  for (nn::Block& block : model.blocks) {
    for (Real& x : block.attn.W_Q.mutable_array()) x *= Real(0.2);
    Array& out = block.attn.W_O.mutable_array();
    for (std::size_t i = width; i < out.shape()[0]; ++i)
      for (std::size_t j = 0; j < out.shape()[1]; ++j) out(i, j) = static_cast<Real>(0.02 * rng.normal());
  }
  nn::MultiHeadAttention& first = model.blocks[0].attn;
  for (Tensor* W : {&first.W_Q, &first.W_K, &first.W_V})
    for (std::size_t i = 0; i < W->length(0); ++i)
      for (std::size_t j = 0; j < width; ++j)
        W->mutable_array()(i, width + j) = Real(0.9) * W->mutable_array()(i, j);
  Array& out = first.W_O.mutable_array();
  for (std::size_t i = 0; i < width; ++i)
    for (std::size_t j = 0; j < out.shape()[1]; ++j) out(width + i, j) += Real(0.6) * out(i, j);
  for (nn::MultiHeadAttention* attn : {&model.blocks[1].attn})
    for (Tensor* W : {&attn->W_V})
      for (std::size_t i = 0; i < W->length(0); ++i)
        for (std::size_t j = width; j < W->length(1); ++j)
          W->mutable_array()(i, j) = static_cast<Real>(0.3 * rng.normal());
  return model;
}

tasks::Task soft_task() { return tasks::make_task({.d_vocab = kSoftSize, .n_ctx = kSoftSize}); }

// What the certificate must say, from the draw of sequences that its numbers come from.
class Recomputed {
 public:
  Recomputed(const nn::Transformer& model, const tasks::Task& task, const Rng& draw)
      : model_(model),
        random_(random_repeats(task, kDrawn, draw)),
        own_(*own_repeats(task, kDrawn, draw)),
        renamed_(renamed(own_.repeated, kSoftSize, {}, draw.stream("names"))),
        means_(mean_outputs(model,
                            tasks::draw_batch(task, task.training, 256, draw.stream("means").stream("own")))),
        others_(outputs_of(model, renamed_)) {}

  double accuracy_without(const HeadSet& heads) const {
    const nn::Hooks hooks = replace_outputs(model_.config(), heads, means_);
    return *train::evaluate(model_, own_.repeated, hooks).accuracy_predictable;
  }

  // The weight of head L1H0 on followers of one kind of sequences, with repeats or without.
  double weight(bool random, bool repeated) const {
    const RepeatedSequences& r = random ? random_ : own_;
    const IntArray& tokens = repeated ? r.repeated.tokens : r.control.tokens;
    const CachedRun run = run_with_cache(model_, tokens);
    const Array& pattern = run.cache[pattern_name(1)];
    double sum = 0;
    std::set<std::pair<std::size_t, std::size_t>> queries;
    for (const Follower& f : r.followers) {
      sum += static_cast<double>(pattern(f.sequence, 0, f.query, f.key));
      queries.insert({f.sequence, f.query});
    }
    return sum / static_cast<double>(queries.size());
  }

  double matching(const tasks::Batch& batch, const nn::Hooks& hooks, const HeadSet& looking) const {
    const auto is_pattern = [](const std::string& name) { return name.ends_with("hook_pattern"); };
    const ActivationCache patterns = run_with_cache(model_, batch.tokens, is_pattern, hooks).cache;
    double sum = 0;
    for (const double weight : weight_on_followers(own_, patterns, model_.config(), looking)) sum += weight;
    return sum;
  }

  double lost(const HeadSet& senders, const HeadSet& looking, HeadInput input, bool removed) const {
    const PathPatching paths(model_, own_.repeated, removed ? means_ : others_);
    std::vector<Receiver> receivers;
    for (const HeadAt& head : looking) receivers.push_back({head, input});
    const ActivationCache streams = paths.streams({senders});
    const double chance = matching(own_.control, {}, looking), intact = matching(own_.repeated, {}, looking);
    return (intact - matching(own_.repeated, paths.into(receivers, false, streams), looking)) /
           (intact - chance);
  }

 private:
  const nn::Transformer& model_;
  RepeatedSequences random_, own_;
  tasks::Batch renamed_;
  ActivationCache means_, others_;
};

long rounded_percent(double share) { return std::lround(100 * share); }

std::string lost_share(double share) {
  if (rounded_percent(share) > 100) return "all";
  return rounded_percent(share) > 0 ? fmt::format("{} %", rounded_percent(share)) : "nothing";
}

}  // namespace

TEST_CASE(
    "the numbers of a certificate are those of other code, and stand in the right places of its sentences",
    "[interpret][certificate]") {
  const nn::Transformer model = soft_circuit();
  ThreadPool pool(2);
  const Certificate c = certify(model, soft_task(), Rng(3), pool, {.sequences = kDrawn});
  REQUIRE(c.induction_heads == HeadSet{{1, 0}});
  REQUIRE(c.previous_token_heads == HeadSet{{0, 0}, {0, 1}});
  const Recomputed right(model, soft_task(), Rng(3).stream("certificate, test"));
  const HeadSet looking{{1, 0}}, senders{{0, 0}, {0, 1}}, rest{{0, 2}};
  const auto by_keys = [&](const HeadSet& heads, bool removed = false) {
    return right.lost(heads, looking, HeadInput::keys, removed);
  };

  const Claim& matching = c.claim(kMatching);
  CHECK(*matching.number == Approx(right.weight(true, true)).margin(1e-5));
  CHECK(*matching.control == Approx(right.weight(true, false)).margin(1e-5));
  CHECK(matching.threshold == 0.3);
  CHECK(matching.control_limit == Approx(*matching.number / 3));
  CHECK(matching.says ==
        fmt::format(
            "In random segments that come back at random distances, L1H0 gives the follower an attention "
            "weight of {:.2f}. The control, the same two positions in sequences without repeats, has {:.2f}.",
            right.weight(true, true), right.weight(true, false)));
  CHECK(matching.more ==
        fmt::format("On the task's own sequences it gives {:.2f}, and {:.2f} without repeats.",
                    right.weight(false, true), right.weight(false, false)));
  const Looks own = CertificateMeasurements(model, soft_task(), kDrawn, Rng(3).stream("certificate, test"))
                        .looks_at_own({{1, 0}});
  CHECK(own.followers[0] == Approx(right.weight(false, true)).epsilon(1e-5));
  CHECK(own.control[0] == Approx(right.weight(false, false)).epsilon(1e-5));
  CHECK(std::abs(right.weight(false, false) / right.weight(true, false) - 1) > 1e-3);
  CHECK((c.claim(kCopying).threshold == 0.9 && c.claim(kCopying).control_limit == 0.75));

  const Claim& composition = c.claim(kComposition);
  CHECK((composition.threshold == 0.7 && composition.control_limit == 0.5));
  CHECK(*composition.number == Approx(by_keys(senders)).margin(1e-4));
  CHECK(*composition.control == Approx(by_keys(rest)).margin(1e-4));
  CHECK(c.by_removal == Approx(by_keys(senders, true)).margin(1e-4));
  CHECK(std::abs(by_keys(senders) - by_keys(senders, true)) > 0.01);
  CHECK(
      composition.says ==
      fmt::format("A test exchanges what L0H0, L0H1 write into the keys of L1H0 for what they write on other "
                  "tokens: {} of the matching is lost{}. The control does this with the other earlier heads, "
                  "L0H2: it loses {}.",
                  lost_share(by_keys(senders)),
                  rounded_percent(by_keys(senders)) > 100
                      ? ", and the heads look at the followers even less than without repeats"
                      : "",
                  lost_share(by_keys(rest))));
  CHECK(
      composition.more ==
      fmt::format("For one head at a time the losses are L0H0 {}, L0H1 {}. The test in the queries instead "
                  "loses {}. Removing what they write, so that only its mean is left, loses {}: it does not "
                  "mislead, as the exchange does.",
                  lost_share(by_keys({{0, 0}})), lost_share(by_keys({{0, 1}})),
                  lost_share(right.lost(senders, looking, HeadInput::queries, false)),
                  lost_share(by_keys(senders, true))));

  const Claim& necessity = c.claim(kNecessity);
  const double intact = right.accuracy_without({}),
               chance = right.accuracy_without(all_heads(model.config()));
  CHECK(c.accuracy == Approx(intact));
  CHECK(*necessity.number == Approx(right.accuracy_without(looking)));
  CHECK(necessity.threshold == Approx(chance + (intact - chance) / 4));
  CHECK(necessity.control_limit == Approx(chance + (intact - chance) / 2));
  const std::size_t helpers = c.helpers.size();
  CAPTURE(codes_of(c.helpers));
  REQUIRE(helpers < 3);
  CHECK(contains(necessity.says,
                 fmt::format("Without L1H0 the accuracy on predictable tokens is {:.2f} instead of {:.2f}",
                             *necessity.number, intact)));
  CHECK(necessity.more == fmt::format("Without L0H0, L0H1 it is {:.2f}.", right.accuracy_without(senders)));
  CHECK(c.accuracy_without_previous_token_heads == Approx(right.accuracy_without(senders)));
  // The control is taken from the last layers.
  HeadSet others = without(all_heads(model.config()), c.circuit());
  REQUIRE(others.size() == 3 - helpers);
  const HeadSet control{others.back()};
  CHECK(*necessity.control == Approx(right.accuracy_without(control)));
  CHECK(contains(necessity.says,
                 fmt::format(" instead of {:.2f}. The control, without {} instead, leaves {:.2f}.", intact,
                             codes_of(control), *necessity.control)));

  const Claim& sufficiency = c.claim(kSufficiency);
  CHECK(sufficiency.threshold == Approx(chance + 0.9 * (intact - chance)));
  CHECK(sufficiency.control_limit == Approx(0.5 * intact));
  CHECK(*sufficiency.number == Approx(right.accuracy_without(others)));
  CHECK(*sufficiency.control == Approx(chance));
  const HeadSet core{{1, 0}, {0, 0}, {0, 1}};
  CHECK(sufficiency.says == "With only L1H0, L0H0, L0H1" +
                                (helpers > 0 ? " and the helpers " + codes_of(c.helpers) : "") +
                                fmt::format(" the accuracy is {:.2f}. The control, with no head, has {:.2f}.",
                                            *sufficiency.number, chance));
  const double alone = right.accuracy_without(without(all_heads(model.config()), core));
  CHECK(sufficiency.more ==
        (helpers > 0 ? fmt::format("Without the helpers it is {:.2f}. ", alone) : "") +
            (others.size() == 1 ? "Here the same heads are ablated as in the control of necessity." : ""));
}

TEST_CASE("the place that a needed head looks at is told from the follower", "[interpret][certificate]") {
  CHECK(words_of_offset(0, true) == "at the follower");
  CHECK(words_of_offset(1, true) == "1 token after the follower");
  CHECK(words_of_offset(-2, true) == "2 tokens before the follower");
  CHECK(words_of_offset(-1, true) == "at the earlier copy of the token");
  CHECK(words_of_offset(-1, false) == "1 token before the answer");
}

TEST_CASE("the nearest follower of a query is that of its last copy", "[interpret][certificate]") {
  const std::vector<Follower> all = {{0, 9, 2}, {0, 9, 6}, {0, 11, 4}, {1, 11, 3}, {1, 11, 5}, {1, 11, 8}};
  std::vector<std::size_t> keys;
  for (const Follower& f : nearest_followers(all)) keys.push_back(f.key);
  CHECK(keys == std::vector<std::size_t>{6, 4, 8});
}

TEST_CASE("a certificate of another way names the claims that failed, and no others",
          "[interpret][certificate]") {
  Certificate c;
  c.verdict = Verdict::another_way;
  const auto claim = [&](const char* key, Standing standing) {
    c.claims.emplace_back().key = key;
    c.claims.back().standing = standing;
  };
  claim(kMatching, Standing::fails);
  claim(kCopying, Standing::holds);
  claim(kNecessity, Standing::fails);
  claim(kOrder, Standing::not_asked);
  CHECK(sentence(c) ==
        "The model solves the task another way than by an induction circuit: matching, necessity failed.");
}

// The previous-token head is whole from step 10 on, the induction head from step 20, and the unembedding from
// step 30.
TEST_CASE("the steps of the claim of order are those of what formed then", "[interpret][certificate]") {
  const nn::Transformer model = nn::induction_by_hand({.d_vocab = kSoftSize, .n_ctx = kSoftSize});
  std::vector<train::Snapshot> snapshots;
  for (const std::int64_t step : {0, 10, 20, 30, 40}) {
    train::Weights weights = train::weights_of(model);
    const auto absent = [&](const char* name) {
      Array& array = weights.at(name);
      std::fill(array.begin(), array.end(), Real{0});
    };
    if (step < 10) absent("blocks.0.attn.W_Q");
    if (step < 20) absent("blocks.1.attn.W_Q");
    if (step < 30) absent("unembed.W_U");
    snapshots.push_back({step, std::move(weights)});
  }
  ThreadPool pool(2);
  const Certificate c =
      certify(model, soft_task(), Rng(3), pool, {.sequences = kDrawn, .snapshots = &snapshots});
  const Claim& order = c.claim(kOrder);
  CHECK(order.standing == Standing::holds);
  CHECK(*order.number == 10);
  CHECK(order.threshold == 20);
  CHECK(order.says ==
        "At step 10, the attention weight of L0H0 on the token before had made a tenth of its rise: it had "
        "begun. By step 20, half of the matching's rise was made. (Weights were kept of 5 steps.)");
  REQUIRE(c.formation.size() == 5);
  CHECK(c.formation[1].previous == Approx(c.formation.back().previous));
  CHECK(c.formation.back().previous == Approx(1).margin(1e-3));  // of every token that has one before it
  CHECK(c.formation[1].matching == Approx(0).margin(1e-6));      // weights are even, with repeats and without
  CHECK(c.formation[2].matching > 0.9);
  CHECK(c.formation[2].accuracy < 0.1);
  CHECK(c.formation[3].accuracy > 0.9);
}
