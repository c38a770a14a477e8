// What people get wrong in parts 1 and 3 of exercise 11: the sequences, and the periods of a fair test.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "exercise.h"
#include "grader/slips.h"
#include "headlight/core/rng.h"
#include "headlight/tasks/task.h"

namespace mistakes {

using grader::Made;
using grader::Mistake;
using grader::slips_of;
using Periods = std::vector<std::size_t>;
using RepeatedSequence = std::function<tasks::Sequence(std::size_t, std::size_t, const Periods&, Rng&)>;
using FairPeriods = std::function<Periods(const Periods&, std::size_t, std::size_t)>;

inline constexpr const char *kCopy = "A copy that can be predicted", *kBest = "The best reachable loss",
                            *kCounts = "A head that counts", *kFair = "A fair test",
                            *kRandom = "A random offset", *kOneLayer = "One layer";

inline std::size_t drawn_period(const Made& made, const Periods& periods, Rng& rng) {
  if (made("any-period-between")) return periods.front() + rng.below(periods.back() - periods.front() + 1);
  const std::size_t drawn = made("period-not-drawn")          ? 0
                            : made("last-period-never-drawn") ? rng.below(periods.size() - 1)
                                                              : rng.below(periods.size());
  if (made("index-for-period")) return drawn + 1;
  return made("always-the-last-period") ? periods.back() : periods[drawn];
}

// What repeats itself, and its period.
inline std::vector<std::int32_t> drawn_segment(const Made& made, std::size_t n, std::size_t V,
                                               const Periods& periods, Rng& rng, std::size_t& period) {
  if (made("segment-before-period")) {
    std::vector<std::int32_t> segment = rng.distinct(*std::ranges::max_element(periods), V);
    period = drawn_period(made, periods, rng);
    segment.resize(std::min(period, segment.size()));
    return segment;
  }
  period = drawn_period(made, periods, rng);
  if (made("distinct-exchanged")) return rng.distinct(V, period);
  if (made("equal-tokens-in-the-segment")) {
    std::vector<std::int32_t> segment(period);
    for (std::int32_t& token : segment) token = static_cast<std::int32_t>(rng.below(V));
    return segment;
  }
  std::vector<std::int32_t> all = rng.distinct(period, V);
  while (made("a-fresh-segment-each-time") && all.size() <= n + 1)
    for (const std::int32_t token : rng.distinct(period, V)) all.push_back(token);
  return all;
}

inline bool predictable_with(const Made& made, std::size_t i, std::size_t period) {
  const bool is = made("predictable-from-p-1")              ? i + 1 >= period
                  : made("predictable-from-p+1")            ? i > period
                  : made("predictable-from-the-third-copy") ? i >= 2 * period
                  : made("all-predictable")                 ? true
                                                            : i >= period;
  return is != made("mask-inverted");
}

inline tasks::Sequence sequence_with(const Made& made, std::size_t n, std::size_t V, const Periods& periods,
                                     Rng& rng) {
  std::size_t period = 0;
  const std::vector<std::int32_t> segment = drawn_segment(made, n, V, periods, rng, period);
  const auto token = [&](std::size_t i) { return segment[i % segment.size()]; };
  tasks::Sequence s;
  for (std::size_t i = 0; i < n + (made("one-token-too-many") ? 1 : 0) - (made("one-token-too-few") ? 1 : 0);
       ++i) {
    s.tokens.push_back(token(made("tokens-begin-at-the-second") ? i + 1 : i));
    s.targets.push_back(token(made("targets-are-the-tokens") ? i
                              : made("targets-two-on")       ? i + 2
                              : made("targets-shifted-back") ? i + segment.size() - 1
                                                             : i + 1));
    s.predictable.push_back(predictable_with(made, i, period));
  }
  if (made("last-target-is-the-first-token")) s.targets.back() = s.tokens.front();
  if (made("last-target-0")) s.targets.back() = 0;
  if (made("last-target-missing")) s.targets.back() = tasks::kNoTarget;
  return s;
}

inline const std::vector<grader::Slip> kSlipsOfSequence = {
    {"predictable-from-p-1",
     "Your `predictable` begins one position too early. Target period - 1 is the first token "
     "once more, but tokens 0 … period - 1 do not tell that the segment ends here: with a "
     "longer period another token would come. From position `period` on the model has seen a "
     "token come back.",
     kCopy},
    {"predictable-from-p+1",
     "Your `predictable` begins one position too late. At position `period` the model reads "
     "the segment's first token again, and so knows its follower.",
     kCopy},
    {"predictable-from-the-third-copy",
     "Your `predictable` begins at 2·period. One earlier copy is enough: the second copy, from "
     "position `period` on, is predictable too.",
     kCopy},
    {"all-predictable",
     "You mark every position. The first copy is random: nothing before it tells its tokens, so an "
     "accuracy over all positions could never reach 1.",
     kCopy},
    {"mask-inverted",
     "Your `predictable` is true where it should be false: it marks the first copy, which is random.", kCopy},
    {"targets-are-the-tokens",
     "Your target i is token i, which the model reads at i. Then it only has to repeat what it "
     "reads. Target i is token i + 1.",
     kCopy},
    {"targets-shifted-back", "Your target i is token i - 1. The model is to say what comes: token i + 1.",
     kCopy},
    {"targets-two-on", "Your target i is token i + 2. The model is to say what comes next: token i + 1.",
     kCopy},
    {"tokens-begin-at-the-second", "Your tokens begin with segment[1]. Token i is segment[i % period].",
     kCopy},
    {"one-token-too-few", "Your sequence is one token too short: n tokens, and n targets.", kCopy},
    {"one-token-too-many", "Your sequence is one token too long: n tokens, and n targets.", kCopy},
    {"last-target-is-the-first-token",
     "Your last target is token 0: you went round to the beginning. The sequence goes on after the n "
     "tokens that the model reads; the last target is token n.",
     kCopy},
    {"last-target-0",
     "Your last target is 0, whatever the segment is. Token n exists, it is just not read: segment[n % "
     "period].",
     kCopy},
    {"last-target-missing",
     "Your last position has no target. Token n exists, it is just not read: segment[n % period].", kCopy},
    {"equal-tokens-in-the-segment",
     "You draw each token of the segment by itself, so a token may occur in it twice. Then two "
     "tokens may have followed it, and the next one is not predictable. rng.distinct draws "
     "different ones.",
     kCopy},
    {"a-fresh-segment-each-time",
     "You draw a new segment for each copy, so nothing comes back. Draw it once, then repeat it.", kCopy},
    {"always-the-last-period",
     "You always take the last of the periods. Then a head that counts back by this one is "
     "enough. Draw one of them for each sequence.",
     kRandom},
    {"period-not-drawn",
     "You take the first of the periods and draw none. Draw one of them for each sequence, by "
     "rng.below(periods.size()) as index.",
     kRandom},
    {"last-period-never-drawn",
     "You never take the last of the periods. rng.below(n) draws from 0 to n - 1, so that the index is "
     "rng.below(periods.size()). With one period, below(0) has nothing to draw from.",
     kRandom},
    {"any-period-between",
     "You draw a period between the first and the last of the list. The list may have gaps, "
     "and what is in the gaps may be held out for a test. Draw an index, by "
     "rng.below(periods.size()).",
     kFair},
    {"index-for-period",
     "You take the index that you draw for the period. It says which of `periods`: periods[index].", kRandom},
    {"distinct-exchanged",
     "You exchanged the arguments of rng.distinct. It draws `period` different numbers below V: "
     "rng.distinct(period, V).",
     kCopy},
    {"segment-before-period",
     "You draw the longest segment first and cut it to the period after. The numbers are as random, but "
     "they are not those that the grader draws: first the period, then the segment.",
     kCopy}};

inline std::vector<Mistake<RepeatedSequence>> of_sequence() {
  return slips_of<RepeatedSequence>(sequence_with, kSlipsOfSequence);
}

// Whether a head that counts for the period T is right at P.
inline bool counted_with(const Made& made, std::size_t P, std::size_t T, std::size_t n) {
  if (made("only-not-trained")) return P == T;
  if (made("divisors-and-multiples-only")) return T % P == 0 || P % T == 0;
  if (made("common-factor")) return P == 1 || std::gcd(P, T) > 1;
  if (made("divisors-kept")) return P % T == 0 && P <= n;
  const std::size_t most = made("only-one-copy-back")    ? T
                           : made("every-multiple")      ? 2 * n
                           : made("last-copy-forgotten") ? n - 1
                           : made("one-copy-beyond-n")   ? n + 1
                                                         : n;
  for (std::size_t copies = made("from-two-copies-on") ? 2 * T : T; copies <= most; copies += T)
    if ((made("the-distance-for-the-copies") ? copies - 1 : copies) % P == 0) return true;
  return false;
}

inline Periods fair_with(const Made& made, const Periods& trained, std::size_t n, std::size_t V) {
  if (made("n-and-V-exchanged")) std::swap(n, V);
  Periods fair;
  if (made("no-bound")) return fair;
  const std::size_t most = made("vocabulary-forgotten")        ? n - 1
                           : made("length-forgotten")          ? V
                           : made("larger-of-the-bounds")      ? std::max(V, n - 1)
                           : made("nothing-predictable")       ? std::min(V, n)
                           : made("largest-segment-forgotten") ? std::min(V, n) - 1
                                                               : std::min(V, n - 1);
  const std::size_t last = made("last-period-forgotten") ? most - 1 : most;
  const auto [low, high] = std::ranges::minmax(trained);
  for (std::size_t P = 1; P <= last; ++P) {
    std::size_t counted = 0;
    for (const std::size_t T : trained) counted += counted_with(made, P, T, n) ? 1 : 0;
    if (made("only-the-first-trained")) counted = counted_with(made, P, trained.front(), n) ? 1 : 0;
    if (made("only-the-last-trained")) counted = counted_with(made, P, trained.back(), n) ? 1 : 0;
    if (made("range-for-list") && P >= low && P <= high) counted = 1;
    const bool unfair = made("all-must-count") ? counted == trained.size() : counted > 0;
    if (unfair == made("unfair-for-fair")) fair.push_back(P);
  }
  if (made("first-fair-period-only") && !fair.empty()) fair.resize(1);
  return fair;
}

inline const std::vector<grader::Slip> kSlipsOfFair = {
    {"larger-of-the-bounds",
     "You go on to the larger of V and n - 1. Both bounds must hold: go to the smaller one, std::min.",
     kFair},
    {"n-and-V-exchanged",
     "You exchanged n and V. A sequence has n tokens, so k·T ≤ n, and the vocabulary has V.", kFair},
    {"first-fair-period-only", "You return the first fair period only. Return them all.", kFair},
    {"only-not-trained",
     "You exclude only the periods of the training. A head that counts 11 back for period 12 "
     "is right at 6, 4, 3, 2 and 1 too: exclude whatever divides k·T.",
     kFair},
    {"divisors-kept",
     "You exclude the multiples of a trained period T, but not its divisors. A head that looks T - 1 back "
     "is right at half the period too.",
     kFair},
    {"only-one-copy-back",
     "You exclude only the divisors of T itself, k = 1. Where a sequence holds two copies or more, a head "
     "may look 2·T - 1 or 3·T - 1 back, as far as k·T ≤ n: exclude the divisors of 2·T and 3·T as well.",
     kFair},
    {"from-two-copies-on", "You begin at k = 2. A head may look T - 1 back too, k = 1.", kFair},
    {"divisors-and-multiples-only",
     "You exclude divisors and multiples of T, and nothing else. But 8 is neither for T = 12, "
     "and a head that counts 23 back is right at 8, since 24 = 3·8. Exclude all divisors of "
     "each k·T.",
     kFair},
    {"common-factor",
     "You exclude every P that has a factor in common with a trained period. That is too much: at period "
     "9 no head is right that counts for 12, unless 36 tokens fit.",
     kFair},
    {"the-distance-for-the-copies",
     "You ask whether P divides k·T - 1, the distance that the head looks back. It looks at the token "
     "after the copy: P must divide k·T.",
     kFair},
    {"every-multiple", "You go on beyond k·T ≤ n. Looking k·T - 1 back needs k·T tokens.", kFair},
    {"one-copy-beyond-n", "You go on to k·T = n + 1. Looking k·T - 1 back needs k·T tokens: k·T ≤ n.", kFair},
    {"no-bound",
     "You find no fair period. Every P divides some k·T (take k = P), but looking k·T - 1 back needs k·T "
     "tokens: k·T ≤ n.",
     kFair},
    {"last-copy-forgotten",
     "You stop before k·T = n. The last of n tokens stands at n - 1, and so it can look n - 1 = k·T - 1 "
     "back.",
     kFair},
    {"vocabulary-forgotten",
     "You return periods above V. A segment of P different tokens needs P different tokens in the "
     "vocabulary.",
     kFair},
    {"length-forgotten",
     "You return periods of n and more. Then no target is predictable: predictable are the positions from "
     "P on, and the last one is n - 1.",
     kFair},
    {"largest-segment-forgotten",
     "You do not return P = V. A segment may hold all tokens of the vocabulary, each once.", kFair},
    {"last-period-forgotten", "You stop one period too early. The largest one is the smaller of V and n - 1.",
     kFair},
    {"nothing-predictable",
     "You return P = n. Then the n tokens are one copy and no target is predictable: predictable are the "
     "positions from P on, and the last one is n - 1.",
     kFair},
    {"range-for-list",
     "You treat all periods between the smallest and the largest trained one as trained. The "
     "list may have gaps, and a period in a gap may be tested.",
     kFair},
    {"only-the-first-trained", "You look at the first trained period only. A head may count for any of them.",
     kFair},
    {"only-the-last-trained",
     "You look at the last trained period only: what you found for the ones before is overwritten. A head "
     "may count for any of them.",
     kFair},
    {"all-must-count",
     "You exclude a period only if heads for all trained periods are right at it. One of them is enough.",
     kFair},
    {"unfair-for-fair", "You return the periods at which a head that counts is right. Return the others.",
     kFair}};

inline std::vector<Mistake<FairPeriods>> of_fair() { return slips_of<FairPeriods>(fair_with, kSlipsOfFair); }

}  // namespace mistakes
