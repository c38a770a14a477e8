#include "circuit_search.h"

#include <fmt/core.h>

#include <algorithm>

#include "certificate_claims.h"

namespace headlight::interpret {
namespace {

// Aims on the draw for choosing lie a little above the thresholds, so that another draw reaches these.
constexpr double kMargin = 0.05, kPathMargin = 0.15;  // paths differ more from draw to draw

// A place that gets this weight without repeats, and not a third of it with them, is avoided.
constexpr double kAvoidable = 0.02;

// With at least this mean weight at one position or distance a head looks there.
constexpr double kSomewhere = 0.25;

HeadSet with(HeadSet heads, const HeadAt& more) {
  heads.push_back(more);
  return heads;
}

HeadSet joined_sets(HeadSet a, const HeadSet& b) {
  for (const HeadAt& head : b)
    if (std::find(a.begin(), a.end(), head) == a.end()) a.push_back(head);
  return a;
}

// Those of several heads that look at followers that copy: made to look at a token, such a head alone raises
// it. All of them if none does.
HeadSet copying_heads(const HeadSet& looking, const CertificateMeasurements& measured, ThreadPool& pool) {
  if (looking.size() < 2) return looking;
  std::vector<double> seen(looking.size());
  pool.run(looking.size(), [&](std::size_t i) { seen[i] = measured.preference_of({looking[i]}).seen; });
  HeadSet copying;
  for (std::size_t i = 0; i < looking.size(); ++i)
    if (seen[i] > kByChance) copying.push_back(looking[i]);
  return copying.empty() ? looking : copying;
}

HeadSet induction_heads_of(const CertificateMeasurements& measured, ThreadPool& pool) {
  const Looks random = measured.looks_at_random(measured.heads()),
              own = measured.looks_at_own(measured.heads());
  HeadSet induction_heads;
  std::size_t closest = 0;
  const auto lift = [&](std::size_t i) { return std::max(random.lift(i), own.lift(i)); };
  for (std::size_t i = 0; i < measured.heads().size(); ++i) {
    if (lift(i) >= kInductionLift) induction_heads.push_back(measured.heads()[i]);
    if (lift(i) > lift(closest)) closest = i;
  }
  if (!induction_heads.empty()) return copying_heads(induction_heads, measured, pool);
  if (lift(closest) >= kInductionLift / 4) return {measured.heads()[closest]};
  return {best_of(measured.heads(), pool,
                  [&](const HeadAt& head) { return measured.preference_of({head}).seen; })};
}

// Senders through these inputs that tell a query where its earlier copies stand: what they write into it on
// other tokens in the same places is as good, because it says nothing of tokens.
HeadSet pointers_to(const HeadInputs& inputs, const HeadSet& induction_heads,
                    const CertificateMeasurements& measured, ThreadPool& pool) {
  HeadSet senders = senders_to(inputs, Written::on_unrelated, induction_heads, measured, pool);
  const bool tells_tokens = !senders.empty() && measured.lost(senders, induction_heads, {HeadInput::queries},
                                                              Written::on_renamed) > kOthersCarry;
  return tells_tokens ? HeadSet() : senders;
}

// Through the keys, or the queries, or both where the matching is lost only when both paths are cut.
void choose_previous_token_heads(Certificate& c, const CertificateMeasurements& measured, ThreadPool& pool) {
  const HeadInputs keys{HeadInput::keys}, queries{HeadInput::queries},
      both{HeadInput::keys, HeadInput::queries};
  const std::pair<HeadInputs, std::function<HeadSet()>> ways[] = {
      {keys, [&] { return senders_to(keys, Written::on_renamed, c.induction_heads, measured, pool); }},
      {queries, [&] { return pointers_to(queries, c.induction_heads, measured, pool); }},
      {both, [&] { return pointers_to(both, c.induction_heads, measured, pool); }}};
  for (const auto& [inputs, senders] : ways) {
    c.previous_token_heads = senders();
    if (c.previous_token_heads.empty()) continue;
    c.through = inputs;
    return;
  }
}

// Heads are added until the named ones do the task without the rest.
HeadSet helpers_of(const HeadSet& named, const CertificateMeasurements& measured, ThreadPool& pool) {
  HeadSet kept = named, helpers;
  const double enough = enough_accuracy(measured.accuracy_with_only({}), measured.accuracy());
  while (kept.size() < measured.heads().size() && measured.accuracy_with_only(kept) < enough) {
    const HeadAt head = best_of(without(measured.heads(), kept), pool, [&](const HeadAt& more) {
      return -measured.loss_without(without(measured.heads(), with(kept, more)));
    });
    kept.push_back(head);
    helpers.push_back(head);
  }
  return helpers;
}

// Of each predictable token, where what tells it stands: its nearest follower that answers, or the answer
// that the task names.
std::vector<Follower> told_at(const CertificateMeasurements& measured) {
  std::vector<Follower> told;
  if (measured.answers_follow()) {
    std::copy_if(measured.own().followers.begin(), measured.own().followers.end(), std::back_inserter(told),
                 [](const Follower& f) { return f.answers; });
    return nearest_followers(told);
  }
  const tasks::Batch& batch = measured.asked();
  for (std::size_t b = 0; b < batch.tokens.shape()[0]; ++b)
    for (std::size_t t = 0; t < batch.tokens.shape()[1]; ++t)
      if (batch.predictable(b, t) && batch.answers.size() > 0 && batch.answers(b, t) >= 0)
        told.push_back({b, t, static_cast<std::size_t>(batch.answers(b, t))});
  return told;
}

// The weights of one head on places of one kind, summed over queries.
class Places {
 public:
  explicit Places(std::size_t count) : places_(count) {}

  void add(std::size_t place, double weight, std::int32_t token) {
    Place& at = places_[place];
    at.several = at.several || (at.token && *at.token != token);
    at.token = token;
    at.weight += weight;
  }

  std::ptrdiff_t most() const {
    return std::max_element(places_.begin(), places_.end(),
                            [](const Place& a, const Place& b) { return a.weight < b.weight; }) -
           places_.begin();
  }
  double weight() const { return places_[static_cast<std::size_t>(most())].weight; }

  // Where one token stands there for every query, nothing tells whether the head looks for it or for the
  // place.
  std::string token_words(const tasks::Vocabulary& vocabulary) const {
    const Place& at = places_[static_cast<std::size_t>(most())];
    return at.several || !at.token ? ""
                                   : fmt::format(", where \"{}\" always stands", vocabulary.text(*at.token));
  }

 private:
  struct Place {
    double weight = 0;
    std::optional<std::int32_t> token = {};
    bool several = false;
  };
  std::vector<Place> places_;
};

// Where a head looks from predictable tokens: mean weights by distance, by position, by the place after what
// tells them, and on special tokens, wherever these stand.
Needed looked_at(const HeadAt& head, const CertificateMeasurements& measured, const Array& pattern) {
  const tasks::Batch& batch = measured.asked();
  const tasks::Vocabulary& vocabulary = measured.task().vocabulary;
  const std::size_t n = pattern.shape()[2];
  Places back(n), at(n), after(2 * n), special(vocabulary.size());
  double queries = 0;
  for (std::size_t b = 0; b < batch.tokens.shape()[0]; ++b)
    for (std::size_t t = 0; t < n; ++t) {
      if (!batch.predictable(b, t)) continue;
      ++queries;
      for (std::size_t j = 0; j <= t; ++j) {
        const auto weight = static_cast<double>(pattern(b, head.head, t, j));
        const std::int32_t token = batch.tokens(b, j);
        back.add(t - j, weight, token);
        at.add(j, weight, token);
        for (const std::int32_t one : measured.task().special)
          if (token == one) special.add(static_cast<std::size_t>(token), weight, token);
      }
    }
  double told = 0;
  for (const Follower& f : told_at(measured)) {
    ++told;
    for (std::size_t j = 0; j <= f.query; ++j)
      after.add(j + n - f.key, static_cast<double>(pattern(f.sequence, head.head, f.query, j)),
                batch.tokens(f.sequence, j));
  }
  const double by_distance = back.weight() / std::max(1.0, queries),
               by_position = at.weight() / std::max(1.0, queries),
               by_token = special.weight() / std::max(1.0, queries),
               by_offset = after.weight() / std::max(1.0, told);
  Needed needed{head, 0, "", std::max({by_distance, by_position, by_offset, by_token})};
  const std::ptrdiff_t distance = back.most(), position = at.most();
  if (by_token > std::max({by_distance, by_position, by_offset}))
    needed.looks = fmt::format("at \"{}\"", vocabulary.text(static_cast<std::int32_t>(special.most())));
  else if (by_position > std::max(by_distance, by_offset))
    needed.looks = (position == 0 ? "at the first token" : fmt::format("at position {}", position)) +
                   at.token_words(vocabulary);
  else if (by_distance < by_offset)
    needed.looks = words_of_offset(after.most() - static_cast<std::ptrdiff_t>(n), measured.answers_follow()) +
                   after.token_words(vocabulary);
  else
    needed.looks = (distance == 0   ? "at itself"
                    : distance == 1 ? "at the token before"
                                    : fmt::format("{} tokens back", distance)) +
                   back.token_words(vocabulary);
  return needed;
}

}  // namespace

std::string words_of_offset(std::ptrdiff_t offset, bool follower) {
  const char* what = follower ? "the follower" : "the answer";
  if (offset == 0) return fmt::format("at {}", what);
  if (offset == -1 && follower) return "at the earlier copy of the token";
  return fmt::format("{} token{} {} {}", std::abs(offset), std::abs(offset) == 1 ? "" : "s",
                     offset > 0 ? "after" : "before", what);
}

double enough_accuracy(double chance, double intact) {
  return chance + std::min(1.0, kKept + kMargin) * (intact - chance);
}

HeadAt best_of(const HeadSet& candidates, ThreadPool& pool,
               const std::function<double(const HeadAt&)>& value) {
  std::vector<double> values(candidates.size());
  pool.run(candidates.size(), [&](std::size_t i) { values[i] = value(candidates[i]); });
  return candidates[static_cast<std::size_t>(std::max_element(values.begin(), values.end()) -
                                             values.begin())];
}

HeadSet senders_to(const HeadInputs& inputs, Written instead, const HeadSet& induction_heads,
                   const CertificateMeasurements& measured, ThreadPool& pool) {
  HeadSet rest = earlier_heads(measured.heads(), induction_heads), senders;
  const auto lost = [&](const HeadSet& heads) {
    return measured.lost(heads, induction_heads, inputs, instead);
  };
  if (rest.empty() || lost(rest) < kCarried) return {};
  const auto add = [&](const std::function<double(const HeadAt&)>& value) {
    senders.push_back(best_of(rest, pool, value));
    rest = without(rest, senders);
  };
  while (!rest.empty() && (senders.empty() || lost(senders) < kCarried + kMargin))
    add([&](const HeadAt& head) { return lost(with(senders, head)); });
  while (!rest.empty() && lost(rest) > kOthersCarry - kPathMargin)
    add([&](const HeadAt& head) { return -lost(without(rest, {head})); });
  return senders;
}

HeadSet earlier_heads(const HeadSet& all, const HeadSet& than) {
  std::size_t last = 0;
  for (const HeadAt& head : than) last = std::max(last, head.layer);
  HeadSet earlier;
  for (const HeadAt& head : all)
    if (head.layer < last) earlier.push_back(head);
  return earlier;
}

void choose_heads(Certificate& c, const CertificateMeasurements& measured, ThreadPool& pool) {
  c.induction_heads = induction_heads_of(measured, pool);
  const Looks random = measured.looks_at_random(c.induction_heads),
              own = measured.looks_at_own(c.induction_heads);
  double lift = 0;
  for (std::size_t i = 0; i < c.induction_heads.size(); ++i)
    lift = std::max({lift, random.lift(i), own.lift(i)});
  if (lift >= kInductionLift) {
    c.by_smear = measured.config().smeared_keys && measured.lost_without_smear(c.induction_heads) >= kCarried;
    if (!c.by_smear) choose_previous_token_heads(c, measured, pool);
  }
  // What a model does not do is not asked of a part of its heads.
  if (measured.accuracy() >= kSolves - kMargin)
    c.helpers = helpers_of(joined_sets(c.induction_heads, c.previous_token_heads), measured, pool);
}

std::vector<Needed> needed_heads(const HeadSet& heads, const CertificateMeasurements& measured,
                                 const nn::Transformer& model) {
  const ActivationCache patterns =
      run_with_cache(model, measured.asked().tokens, hooks_named("attn.hook_pattern")).cache;
  const Looks looks = measured.looks_at_own(heads);
  std::vector<Needed> needed;
  for (std::size_t i = 0; i < heads.size(); ++i) {
    Needed head = looked_at(heads[i], measured, patterns[layer_of(measured.config(), heads[i]).pattern]);
    const bool somewhere = head.weight >= kSomewhere;
    if (!somewhere) head.looks = "at no one position or distance";
    if (!somewhere && measured.answers_follow() && looks.control[i] > 3 * looks.followers[i] &&
        looks.control[i] >= kAvoidable) {
      head.looks = "anywhere but at the follower";
      head.weight = looks.followers[i];
    }
    head.accuracy_without = measured.accuracy_without({heads[i]});
    needed.push_back(std::move(head));
  }
  return needed;
}

}  // namespace headlight::interpret
