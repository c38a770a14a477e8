#include "certificate_measurements.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>

#include "headlight/core/row_kernels.h"

namespace headlight::interpret {
namespace {

constexpr double kSameMatching = 1e-6;  // relative

// So many queries of a kind in a draw, and a weight over them is asked for.
constexpr std::size_t kEnoughQueries = 32;

// The standard deviation of a weight is 0.5 at most, so that of a mean over so many independent queries
// 0.016.
constexpr std::size_t kQueriesOfMean = 1024;

constexpr std::size_t kMeanSequences = 256;  // other ones, whose mean a mean-ablated head writes

constexpr double kNearlyAll = 0.9;

ActivationCache patterns_on(const nn::Transformer& model, const tasks::Batch& batch) {
  return run_with_cache(model, batch.tokens, hooks_named("attn.hook_pattern")).cache;
}

WantedHooks patterns_of_layers(const nn::TransformerConfig& config, const HeadSet& heads) {
  std::set<std::string> names;
  for (const HeadAt& head : heads) names.insert(layer_of(config, head).pattern);
  return [names](const std::string& name) { return names.contains(name); };
}

// A query, and a key that its heads are made to look at.
struct ForcedKey {
  std::size_t sequence, query, key;
};

std::set<std::int32_t> answers_of(const tasks::Batch& batch) {
  std::set<std::int32_t> answers;
  for (std::size_t i = 0; i < batch.targets.size(); ++i)
    if (batch.predictable.data()[i]) answers.insert(batch.targets.data()[i]);
  return answers;
}

// At each predictable position two earlier ones at random, with different tokens that are answers elsewhere,
// but neither the query's own nor the right answer here. The first keys of all queries, then the second ones.
std::array<std::vector<ForcedKey>, 2> random_forced_keys(const tasks::Batch& batch, Rng rng) {
  const std::set<std::int32_t> answers = answers_of(batch);
  std::array<std::vector<ForcedKey>, 2> forced_keys;
  for (std::size_t b = 0; b < batch.tokens.shape()[0]; ++b)
    for (std::size_t t = 2; t < batch.tokens.shape()[1]; ++t) {
      if (!batch.predictable(b, t)) continue;
      std::vector<std::size_t> places;
      for (std::size_t j = 0; j < t; ++j)
        if (answers.contains(batch.tokens(b, j))) places.push_back(j);
      if (places.empty()) continue;
      const std::size_t first = places[rng.below(places.size())], second = places[rng.below(places.size())];
      const std::int32_t one = batch.tokens(b, first), other = batch.tokens(b, second);
      const auto is_shown = [&](std::int32_t token) {
        return token == batch.targets(b, t) || token == batch.tokens(b, t);
      };
      if (one == other || is_shown(one) || is_shown(other)) continue;
      forced_keys[0].push_back({b, t, first});
      forced_keys[1].push_back({b, t, second});
    }
  return forced_keys;
}

nn::Hooks looking_at(const nn::TransformerConfig& config, const HeadSet& heads,
                     const std::vector<ForcedKey>& forced_keys) {
  nn::Hooks hooks;
  for (const HeadAt& head : heads)
    hooks.add(layer_of(config, head).pattern, [&forced_keys, h = head.head](const Tensor& pattern) {
      Array weights = pattern.array();  // (B,H,n,n)
      const std::size_t keys = weights.shape()[3];
      for (const ForcedKey& forced : forced_keys) {
        Real* row = &weights(forced.sequence, h, forced.query, 0);
        std::fill_n(row, keys, Real{0});
        row[forced.key] = 1;
      }
      return Tensor(std::move(weights));
    });
  return hooks;
}

// Of the questions whose answer the task says is in the sequence, the part whose answer is a follower.
double part_answered_by_followers(const RepeatedSequences& own) {
  const tasks::Batch& batch = own.repeated;
  std::set<std::pair<std::size_t, std::size_t>> asked, answered;
  for (std::size_t b = 0; b < batch.tokens.shape()[0]; ++b)
    for (std::size_t t = 0; t < batch.tokens.shape()[1]; ++t)
      if (batch.predictable(b, t) && batch.answers(b, t) >= 0) asked.insert({b, t});
  for (const Follower& f : own.followers)
    if (f.answers) answered.insert({f.sequence, f.query});
  return static_cast<double>(answered.size()) / static_cast<double>(asked.size());
}

}  // namespace

CertificateMeasurements::CertificateMeasurements(const nn::Transformer& model, const tasks::Task& task,
                                                 std::size_t sequences, const Rng& rng, std::size_t by)
    : model_(model),
      task_(task),
      sequences_(sequences),
      heads_(all_heads(model.config())),
      random_(moved(random_repeats(task, sequences, rng), by)),
      own_(own_repeats(task, sequences, rng)),
      renamed_(renamed(own().repeated, model.config().d_vocab, task.special, rng.stream("names"))),
      means_(mean_outputs(model, own_ ? *own_questions(task, kMeanSequences, rng.stream("means"))
                                      : random_repeats(task, kMeanSequences, rng.stream("means")).repeated)),
      renamed_outputs_(outputs_of(model, renamed_)),
      unrelated_outputs_(outputs_of(model, own().control)),
      random_patterns_(patterns_on(model, random_.repeated)),
      random_control_(patterns_on(model, random_.control)),
      rng_(rng) {
  answers_follow_ = own_ && part_answered_by_followers(*own_) >= kNearlyAll;
  if (own_) own_ = moved(std::move(*own_), by);
  if (own_) own_beside_ = beside_the_answer(*own_);
  if (own_beside_ && own_beside_->queries < kEnoughQueries) own_beside_.reset();
  if (own_)
    own_patterns_ = patterns_on(model, own_->repeated), own_control_ = patterns_on(model, own_->control);
  const Through through = model.config().d_mlp > 0 ? Through::mlps : Through::residual_stream;
  renamed_paths_.emplace(model, own().repeated, renamed_outputs_, through);
  unrelated_paths_.emplace(model, own().repeated, unrelated_outputs_, through);
  mean_paths_.emplace(model, own().repeated, means_, through);
  if (!own_) asked_ = own_questions(task, sequences, rng);
  if (asked_) asked_means_ = mean_outputs(model, *own_questions(task, kMeanSequences, rng.stream("means")));
  if (!asks_the_task()) answers_follow_ = true;
  intact_ = accuracy_without({});
}

double CertificateMeasurements::accuracy_without(const HeadSet& heads) const {
  const auto e =
      train::evaluate(model_, asked(), replace_outputs(config(), heads, asked_ ? asked_means_ : means_));
  return e.accuracy_predictable.value_or(0);
}

Subsets CertificateMeasurements::subsets(ThreadPool& pool) const {
  return all_subsets(model_, asked(), asked_ ? asked_means_ : means_, pool);
}

double CertificateMeasurements::accuracy_at_random() const {
  return train::evaluate(model_, random_.repeated, nn::Hooks()).accuracy_predictable.value_or(0);
}

double CertificateMeasurements::loss_without(const HeadSet& heads) const {
  const auto e =
      train::evaluate(model_, asked(), replace_outputs(config(), heads, asked_ ? asked_means_ : means_));
  return e.loss_predictable.value_or(e.loss);
}

Looks CertificateMeasurements::looks_on(const RepeatedSequences& repeats, const HeadSet& heads) const {
  const bool of_task = own_ && &repeats == &*own_;
  const ActivationCache& patterns = of_task ? own_patterns_ : random_patterns_;
  Looks looks{weight_on_followers(repeats, patterns, config(), heads),
              weight_on_followers(repeats, of_task ? own_control_ : random_control_, config(), heads)};
  if (of_task && own_beside_) looks.beside = weight_on_followers(*own_beside_, patterns, config(), heads);
  const RepeatedSequences one = after_one_token(repeats);
  if (one.queries >= kEnoughQueries) looks.after_one = weight_on_followers(one, patterns, config(), heads);
  return looks;
}

Look CertificateMeasurements::look_over(Over over, const HeadAt& head, bool random) const {
  Look look{0, 0, over};
  std::size_t queries = 0;
  for (std::size_t i = 0; queries < kQueriesOfMean; ++i) {
    const Rng rng = rng_.stream("further", i);
    const auto drawn = random ? random_repeats(task_, sequences_, rng) : own_repeats(task_, sequences_, rng);
    if (!drawn) continue;
    const RepeatedSequences some = over == Over::beside ? beside_the_answer(*drawn) : after_one_token(*drawn);
    if (some.queries == 0) continue;
    const auto sum = [&](const tasks::Batch& batch) {
      const auto patterns = run_with_cache(model_, batch.tokens, patterns_of_layers(config(), {head})).cache;
      return weight_on_followers(some, patterns, config(), {head})[0] * static_cast<double>(some.queries);
    };
    look.weight += sum(some.repeated), look.control += sum(some.control);
    queries += some.queries;
  }
  look.weight /= static_cast<double>(queries), look.control /= static_cast<double>(queries);
  return look;
}

Preference CertificateMeasurements::preference_of(const HeadSet& heads) const {
  const IntArray& tokens = own().repeated.tokens;
  // Another name of the stream would draw other keys, and so change the numbers of old runs.
  const auto forced_keys = random_forced_keys(own().repeated, rng_.stream("glances"));
  const auto logits_at = [&](const std::vector<ForcedKey>& places) {
    const auto nothing = [](const std::string&) { return false; };
    return run_with_cache(model_, tokens, nothing, looking_at(config(), heads, places)).logits;
  };
  const Array first = logits_at(forced_keys[0]), second = logits_at(forced_keys[1]);
  const std::size_t n = first.shape()[1], vocab = first.shape()[2], count = forced_keys[0].size();
  const auto token = [&](const ForcedKey& forced) { return tokens(forced.sequence, forced.key); };
  Preference sum;
  for (std::size_t i = 0; i < count; ++i) {
    const ForcedKey& here = forced_keys[0][i];
    const std::size_t row = (here.sequence * n + here.query) * vocab;
    // Whether the first of two tokens gains on the second.
    const auto gains = [&](std::int32_t one, std::int32_t other) {
      const auto lead = [&](const Array& logits) {
        return logits.data()[row + one] - logits.data()[row + other];
      };
      const Real before = lead(second), now = lead(first);
      return now > before ? 1.0 : now == before ? 0.5 : 0.0;
    };
    const std::size_t elsewhere = (i + count / 2) % count;
    sum.seen += gains(token(here), token(forced_keys[1][i]));
    sum.unseen += gains(token(forced_keys[0][elsewhere]), token(forced_keys[1][elsewhere]));
    const Real* logits = first.data() + row;
    sum.answered += std::max_element(logits, logits + vocab) == logits + token(here) ? 1 : 0;
  }
  const auto mean = [&](double total) { return count == 0 ? 0 : total / static_cast<double>(count); };
  return {mean(sum.seen), mean(sum.unseen), mean(sum.answered)};
}

double CertificateMeasurements::matching(const ActivationCache& patterns,
                                         const HeadSet& induction_heads) const {
  const auto weights = weight_on_followers(own(), patterns, config(), induction_heads);
  return std::accumulate(weights.begin(), weights.end(), 0.0);
}

bool CertificateMeasurements::matches_repeats(const HeadSet& induction_heads) const {
  const double chance = matching(own_ ? own_control_ : random_control_, induction_heads);
  const double intact = matching(own_ ? own_patterns_ : random_patterns_, induction_heads);
  return !(std::abs(intact - chance) <= kSameMatching * intact);  // NaN differs
}

double CertificateMeasurements::share_lost(const ActivationCache& patterns,
                                           const HeadSet& induction_heads) const {
  const ActivationCache& control = own_ ? own_control_ : random_control_;
  const double chance = matching(control, induction_heads);
  const double intact = matching(own_ ? own_patterns_ : random_patterns_, induction_heads);
  return 1 - (matching(patterns, induction_heads) - chance) / (intact - chance);
}

double CertificateMeasurements::lost(const HeadSet& senders, const HeadSet& induction_heads,
                                     const HeadInputs& inputs, Written instead) const {
  std::vector<Receiver> receivers;
  for (const HeadAt& head : induction_heads)
    for (const HeadInput input : inputs) receivers.push_back({head, input});
  const PathPatching& paths = instead == Written::on_renamed     ? *renamed_paths_
                              : instead == Written::on_unrelated ? *unrelated_paths_
                                                                 : *mean_paths_;
  return share_lost(
      paths.run({senders}, receivers, false, patterns_of_layers(config(), induction_heads)).cache,
      induction_heads);
}

double CertificateMeasurements::accuracy_with_paths(const HeadSet& senders, const HeadSet& induction_heads,
                                                    HeadInput input) const {
  std::vector<Receiver> receivers;
  for (const HeadAt& head : induction_heads) receivers.push_back({head, input});
  const Array logits = renamed_paths_->run({senders}, receivers).logits;
  return train::evaluate(logits, own().repeated).accuracy_predictable.value_or(0);
}

std::vector<double> CertificateMeasurements::lifts_after(std::size_t by) const {
  const RepeatedSequences repeats = moved(own(), by);
  if (repeats.queries == 0) return std::vector<double>(heads_.size(), 0);
  std::vector<double> lifts =
      weight_on_followers(repeats, own_ ? own_patterns_ : random_patterns_, config(), heads_);
  const std::vector<double> control =
      weight_on_followers(repeats, own_ ? own_control_ : random_control_, config(), heads_);
  for (std::size_t i = 0; i < lifts.size(); ++i) lifts[i] -= control[i];
  return lifts;
}

double CertificateMeasurements::lost_without_smear(const HeadSet& induction_heads) const {
  nn::Hooks plain;
  std::map<std::string, Array> keys;  // of each layer, before they are smeared
  const CachedRun run = run_with_cache(model_, own().repeated.tokens, hooks_named("attn.hook_k"));
  for (const std::string& name : run.cache.names())
    plain.add(name.substr(0, name.size() - 1) + "smeared_k",
              [&key = run.cache[name]](const Tensor&) { return Tensor(Array(key)); });
  return share_lost(
      run_with_cache(model_, own().repeated.tokens, patterns_of_layers(config(), induction_heads), plain)
          .cache,
      induction_heads);
}

}  // namespace headlight::interpret
