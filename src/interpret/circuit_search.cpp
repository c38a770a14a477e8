#include "circuit_search.h"

#include <fmt/core.h>

#include <algorithm>

namespace headlight::interpret {
namespace {

// Aims on the draw for choosing lie a little above the thresholds, so that another draw reaches these.
constexpr double kMargin = 0.05;

// A place that gets this weight without repeats, and not a third of it with them, is avoided.
constexpr double kAvoidable = 0.02;

// With at least this mean weight at one kind of place a head looks there.
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
  if (!induction_heads.empty()) return induction_heads;
  if (lift(closest) >= kInductionLift / 4) return {measured.heads()[closest]};
  return {best_of(measured.heads(), pool,
                  [&](const HeadAt& head) { return measured.preference_of({head}).seen; })};
}

// Senders that tell a query where its earlier copies stand: what they write on other tokens in the same
// places is as good, because it says nothing of tokens.
HeadSet pointers_to(const HeadSet& induction_heads, const CertificateMeasurements& measured,
                    ThreadPool& pool) {
  HeadSet senders =
      senders_to(HeadInput::queries, OtherSequences::unrelated, induction_heads, measured, pool);
  const bool tells_tokens = !senders.empty() && measured.lost(senders, induction_heads, HeadInput::queries,
                                                              OtherSequences::renamed) > kOthersCarry;
  return tells_tokens ? HeadSet() : senders;
}

// Heads are added until the named ones do the task without the rest.
HeadSet helpers_of(const HeadSet& named, const CertificateMeasurements& measured, ThreadPool& pool) {
  HeadSet kept = named, helpers;
  while (kept.size() < measured.heads().size() &&
         measured.accuracy_with_only(kept) < std::min(1.0, kKept + kMargin) * measured.accuracy()) {
    const HeadAt head = best_of(without(measured.heads(), kept), pool, [&](const HeadAt& more) {
      return -measured.loss_without(without(measured.heads(), with(kept, more)));
    });
    kept.push_back(head);
    helpers.push_back(head);
  }
  return helpers;
}

// Where a head looks from predictable tokens: mean weights by distance, and by the place after the follower.
Needed looked_at(const HeadAt& head, const CertificateMeasurements& measured, const Array& pattern) {
  const RepeatedSequences& repeats = measured.own();
  const std::size_t n = pattern.shape()[2];
  std::vector<double> back(n, 0), after(2 * n, 0);
  for (std::size_t i = 0; i < repeats.followers.size(); ++i) {
    const Follower& f = repeats.followers[i];
    const bool last = i + 1 == repeats.followers.size() || repeats.followers[i + 1].query != f.query ||
                      repeats.followers[i + 1].sequence != f.sequence;
    if (!last) continue;  // the nearest copy of each query
    for (std::size_t j = 0; j <= f.query; ++j) {
      const auto weight = static_cast<double>(pattern(f.sequence, head.head, f.query, j));
      back[f.query - j] += weight;
      after[j + n - f.key] += weight;
    }
  }
  const auto most_back = std::max_element(back.begin(), back.end()),
             most_after = std::max_element(after.begin(), after.end());
  const auto queries = static_cast<double>(repeats.queries);
  Needed needed{head, 0, "", std::max(*most_back, *most_after) / queries};
  const auto distance = most_back - back.begin();
  const auto offset = most_after - after.begin() - static_cast<std::ptrdiff_t>(n);
  if (*most_back >= *most_after)
    needed.looks = distance == 0   ? "at itself"
                   : distance == 1 ? "at the token before"
                                   : fmt::format("{} tokens back", distance);
  else if (offset == 0)
    needed.looks = "at the follower";
  else if (offset == -1)
    needed.looks = "at the earlier copy of the token";
  else
    needed.looks = fmt::format("{} token{} {} the follower", std::abs(offset),
                               std::abs(offset) == 1 ? "" : "s", offset > 0 ? "after" : "before");
  return needed;
}

}  // namespace

HeadAt best_of(const HeadSet& candidates, ThreadPool& pool,
               const std::function<double(const HeadAt&)>& value) {
  std::vector<double> values(candidates.size());
  pool.run(candidates.size(), [&](std::size_t i) { values[i] = value(candidates[i]); });
  return candidates[static_cast<std::size_t>(std::max_element(values.begin(), values.end()) -
                                             values.begin())];
}

HeadSet senders_to(HeadInput input, OtherSequences others, const HeadSet& induction_heads,
                   const CertificateMeasurements& measured, ThreadPool& pool) {
  HeadSet rest = earlier_heads(measured.heads(), induction_heads), senders;
  const auto lost = [&](const HeadSet& heads) {
    return measured.lost(heads, induction_heads, input, others);
  };
  if (rest.empty() || lost(rest) < kCarried) return {};
  while (!rest.empty() && (senders.empty() || lost(senders) < kCarried + kMargin)) {
    senders.push_back(best_of(rest, pool, [&](const HeadAt& head) { return lost(with(senders, head)); }));
    rest = without(rest, senders);
  }
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
    if (!c.by_smear)
      c.previous_token_heads =
          senders_to(HeadInput::keys, OtherSequences::renamed, c.induction_heads, measured, pool);
    if (!c.by_smear && c.previous_token_heads.empty()) {
      c.previous_token_heads = pointers_to(c.induction_heads, measured, pool);
      if (!c.previous_token_heads.empty()) c.through = HeadInput::queries;
    }
  }
  c.helpers = helpers_of(joined_sets(c.induction_heads, c.previous_token_heads), measured, pool);
}

std::vector<Needed> needed_heads(const HeadSet& heads, const CertificateMeasurements& measured,
                                 const nn::Transformer& model) {
  const auto is_seen = [](const std::string& name) { return name.ends_with("attn.hook_pattern"); };
  const ActivationCache patterns = run_with_cache(model, measured.own().repeated.tokens, is_seen).cache;
  const Looks looks = measured.looks_at_own(heads);
  std::vector<Needed> needed;
  for (std::size_t i = 0; i < heads.size(); ++i) {
    Needed head = looked_at(heads[i], measured, patterns[layer_of(measured.config(), heads[i]).pattern]);
    const bool somewhere = head.weight >= kSomewhere;
    if (!somewhere && looks.control[i] > 3 * looks.followers[i] && looks.control[i] >= kAvoidable) {
      head.looks = "anywhere but at the follower";
      head.weight = looks.followers[i];
    }
    head.accuracy_without = measured.accuracy_without({heads[i]});
    needed.push_back(std::move(head));
  }
  return needed;
}

}  // namespace headlight::interpret
