// What people get wrong in parts 1 and 3 of exercise 11: the sequences, and the periods of a fair test.
#pragma once

#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

#include "exercise.h"
#include "grader/part.h"
#include "headlight/core/rng.h"
#include "headlight/tasks/task.h"

namespace mistakes {

using grader::Mistake;
using Periods = std::vector<std::size_t>;
using RepeatedSequence = tasks::Sequence (*)(std::size_t, std::size_t, const Periods&, Rng&);
using FairPeriods = Periods (*)(const Periods&, std::size_t, std::size_t);

inline constexpr const char *kCopy = "A copy that can be predicted", *kBest = "The best reachable loss",
                            *kCounts = "A head that counts", *kFair = "A fair test",
                            *kRandom = "A random offset", *kOneLayer = "One layer";

// The sequence of this segment; mark(i, period) says whether target i is predictable.
template <class Mark>
tasks::Sequence of_segment(std::size_t n, const std::vector<std::int32_t>& segment, const Mark& mark) {
  tasks::Sequence s;
  for (std::size_t i = 0; i < n; ++i) {
    s.tokens.push_back(segment[i % segment.size()]);
    s.targets.push_back(segment[(i + 1) % segment.size()]);
    s.predictable.push_back(mark(i, segment.size()));
  }
  return s;
}
inline std::size_t drawn_period(const Periods& periods, Rng& rng) {
  return periods[rng.below(periods.size())];
}
template <class Mark>
tasks::Sequence marked(std::size_t n, std::size_t V, const Periods& periods, Rng& rng, const Mark& mark) {
  return of_segment(n, rng.distinct(drawn_period(periods, rng), V), mark);
}
inline bool from_period(std::size_t i, std::size_t period) { return i >= period; }

inline const std::vector<Mistake<RepeatedSequence>> kOfSequence = {
    {"predictable-from-p-1",
     "Your `predictable` begins one position too early. Target period - 1 is the first token "
     "once more, but tokens 0 … period - 1 do not tell that the segment ends here: with a "
     "longer period another token would come. From position `period` on the model has seen a "
     "token come back.",
     kCopy,
     [](std::size_t n, std::size_t V, const Periods& periods, Rng& rng) {
       return marked(n, V, periods, rng, [](std::size_t i, std::size_t p) { return i + 1 >= p; });
     }},
    {"predictable-from-p+1",
     "Your `predictable` begins one position too late. At position `period` the model reads "
     "the segment's first token again, and so knows its follower.",
     kCopy,
     [](std::size_t n, std::size_t V, const Periods& periods, Rng& rng) {
       return marked(n, V, periods, rng, [](std::size_t i, std::size_t p) { return i > p; });
     }},
    {"predictable-from-the-third-copy",
     "Your `predictable` begins at 2·period. One earlier copy is enough: the second copy, from "
     "position `period` on, is predictable too.",
     kCopy,
     [](std::size_t n, std::size_t V, const Periods& periods, Rng& rng) {
       return marked(n, V, periods, rng, [](std::size_t i, std::size_t p) { return i >= 2 * p; });
     }},
    {"all-predictable",
     "You mark every position. The first copy is random: nothing before it tells its tokens, so an accuracy "
     "over all positions could never reach 1.",
     kCopy,
     [](std::size_t n, std::size_t V, const Periods& periods, Rng& rng) {
       return marked(n, V, periods, rng, [](std::size_t, std::size_t) { return true; });
     }},
    {"mask-inverted",
     "Your `predictable` is true where it should be false: it marks the first copy, which is random.", kCopy,
     [](std::size_t n, std::size_t V, const Periods& periods, Rng& rng) {
       return marked(n, V, periods, rng, [](std::size_t i, std::size_t p) { return i < p; });
     }},
    {"targets-are-the-tokens",
     "Your target i is token i, which the model reads at i. Then it only has to repeat what it "
     "reads. Target i is token i + 1.",
     kCopy,
     [](std::size_t n, std::size_t V, const Periods& periods, Rng& rng) {
       tasks::Sequence s = marked(n, V, periods, rng, from_period);
       s.targets = s.tokens;
       return s;
     }},
    {"targets-shifted-back", "Your target i is token i - 1. The model is to say what comes: token i + 1.",
     kCopy,
     [](std::size_t n, std::size_t V, const Periods& periods, Rng& rng) {
       const std::vector<std::int32_t> segment = rng.distinct(drawn_period(periods, rng), V);
       tasks::Sequence s = of_segment(n, segment, from_period);
       for (std::size_t i = 0; i < n; ++i) s.targets[i] = segment[(i + segment.size() - 1) % segment.size()];
       return s;
     }},
    {"last-target-is-the-first-token",
     "Your last target is token 0: you went round to the beginning. The sequence goes on after the n tokens "
     "that the model reads; the last target is token n.",
     kCopy,
     [](std::size_t n, std::size_t V, const Periods& periods, Rng& rng) {
       tasks::Sequence s = marked(n, V, periods, rng, from_period);
       s.targets.back() = s.tokens.front();
       return s;
     }},
    {"last-target-0",
     "Your last target is 0, whatever the segment is. Token n exists, it is just not read: segment[n % "
     "period].",
     kCopy,
     [](std::size_t n, std::size_t V, const Periods& periods, Rng& rng) {
       tasks::Sequence s = marked(n, V, periods, rng, from_period);
       s.targets.back() = 0;
       return s;
     }},
    {"last-target-missing",
     "Your last position has no target. Token n exists, it is just not read: segment[n % period].", kCopy,
     [](std::size_t n, std::size_t V, const Periods& periods, Rng& rng) {
       tasks::Sequence s = marked(n, V, periods, rng, from_period);
       s.targets.back() = tasks::kNoTarget;
       return s;
     }},
    {"equal-tokens-in-the-segment",
     "You draw each token of the segment by itself, so a token may occur in it twice. Then two "
     "tokens may have followed it, and the next one is not predictable. rng.distinct draws "
     "different ones.",
     kCopy,
     [](std::size_t n, std::size_t V, const Periods& periods, Rng& rng) {
       std::vector<std::int32_t> segment(drawn_period(periods, rng));
       for (std::int32_t& token : segment) token = static_cast<std::int32_t>(rng.below(V));
       return of_segment(n, segment, from_period);
     }},
    {"a-fresh-segment-each-time",
     "You draw a new segment for each copy, so nothing comes back. Draw it once, then repeat it.", kCopy,
     [](std::size_t n, std::size_t V, const Periods& periods, Rng& rng) {
       const std::size_t period = drawn_period(periods, rng);
       std::vector<std::int32_t> all;
       while (all.size() <= n)
         for (const std::int32_t token : rng.distinct(period, V)) all.push_back(token);
       tasks::Sequence s;
       for (std::size_t i = 0; i < n; ++i) {
         s.tokens.push_back(all[i]), s.targets.push_back(all[i + 1]);
         s.predictable.push_back(i >= period);
       }
       return s;
     }},
    {"always-the-last-period",
     "You always take the last of the periods. Then a head that counts back by this one is "
     "enough. Draw one of them for each sequence.",
     kRandom,
     [](std::size_t n, std::size_t V, const Periods& periods, Rng& rng) {
       rng.below(periods.size());
       return of_segment(n, rng.distinct(periods.back(), V), from_period);
     }},
    {"any-period-between",
     "You draw a period between the first and the last of the list. The list may have gaps, "
     "and what is in the gaps may be held out for a test. Draw an index, by "
     "rng.below(periods.size()).",
     kFair,
     [](std::size_t n, std::size_t V, const Periods& periods, Rng& rng) {
       const std::size_t period = periods.front() + rng.below(periods.back() - periods.front() + 1);
       return of_segment(n, rng.distinct(period, V), from_period);
     }},
    {"segment-before-period",
     "You draw the longest segment first and cut it to the period after. The numbers are as random, but they "
     "are not those that the grader draws: first the period, then the segment.",
     kCopy, [](std::size_t n, std::size_t V, const Periods& periods, Rng& rng) {
       std::vector<std::int32_t> segment = rng.distinct(*std::max_element(periods.begin(), periods.end()), V);
       segment.resize(drawn_period(periods, rng));
       return of_segment(n, segment, from_period);
     }}};

// The periods 1 … last for which no trained T makes unfair(P, T) true.
template <class Unfair>
Periods without(const Periods& trained, std::size_t last, const Unfair& unfair) {
  Periods fair;
  for (std::size_t P = 1; P <= last; ++P)
    if (std::none_of(trained.begin(), trained.end(), [&](std::size_t T) { return unfair(P, T); }))
      fair.push_back(P);
  return fair;
}
// Whether P divides some k·T ≤ most.
inline bool is_counted(std::size_t P, std::size_t T, std::size_t most) {
  for (std::size_t copies = T; copies <= most; copies += T)
    if (copies % P == 0) return true;
  return false;
}
inline std::size_t last_of(std::size_t n, std::size_t V) { return std::min(V, n - 1); }

inline const std::vector<Mistake<FairPeriods>> kOfFair = {
    {"only-not-trained",
     "You exclude only the periods of the training. A head that counts 11 back for period 12 "
     "is right at 6, 4, 3, 2 and 1 too: exclude whatever divides k·T.",
     kFair,
     [](const Periods& trained, std::size_t n, std::size_t V) {
       return without(trained, last_of(n, V), [](std::size_t P, std::size_t T) { return P == T; });
     }},
    {"divisors-kept",
     "You exclude the multiples of a trained period T, but not its divisors. A head that looks T - 1 back "
     "is right at half the period too.",
     kFair,
     [](const Periods& trained, std::size_t n, std::size_t V) {
       return without(trained, last_of(n, V),
                      [n](std::size_t P, std::size_t T) { return P % T == 0 && P <= n; });
     }},
    {"only-one-copy-back",
     "You exclude only the divisors of T itself, k = 1. Where a sequence holds two copies or more, a head "
     "may look 2·T - 1 or 3·T - 1 back, as far as k·T ≤ n: exclude the divisors of 2·T and 3·T as well.",
     kFair,
     [](const Periods& trained, std::size_t n, std::size_t V) {
       return without(trained, last_of(n, V), [](std::size_t P, std::size_t T) { return T % P == 0; });
     }},
    {"divisors-and-multiples-only",
     "You exclude divisors and multiples of T, and nothing else. But 8 is neither for T = 12, "
     "and a head that counts 23 back is right at 8, since 24 = 3·8. Exclude all divisors of "
     "each k·T.",
     kFair,
     [](const Periods& trained, std::size_t n, std::size_t V) {
       return without(trained, last_of(n, V),
                      [](std::size_t P, std::size_t T) { return T % P == 0 || P % T == 0; });
     }},
    {"common-factor",
     "You exclude every P that has a factor in common with a trained period. That is too much: at period 9 "
     "no head is right that counts for 12, unless 36 tokens fit.",
     kFair,
     [](const Periods& trained, std::size_t n, std::size_t V) {
       return without(trained, last_of(n, V),
                      [](std::size_t P, std::size_t T) { return P == 1 || std::gcd(P, T) > 1; });
     }},
    {"every-multiple", "You go on beyond k·T ≤ n. Looking k·T - 1 back needs k·T tokens.", kFair,
     [](const Periods& trained, std::size_t n, std::size_t V) {
       return without(trained, last_of(n, V),
                      [n](std::size_t P, std::size_t T) { return is_counted(P, T, 2 * n); });
     }},
    {"no-bound",
     "You find no fair period. Every P divides some k·T (take k = P), but looking k·T - 1 back needs k·T "
     "tokens: k·T ≤ n.",
     kFair, [](const Periods&, std::size_t, std::size_t) { return Periods{}; }},
    {"last-copy-forgotten",
     "You stop before k·T = n. The last of n tokens stands at n - 1, and so it can look n - 1 = k·T - 1 "
     "back.",
     kFair,
     [](const Periods& trained, std::size_t n, std::size_t V) {
       return without(trained, last_of(n, V),
                      [n](std::size_t P, std::size_t T) { return is_counted(P, T, n - 1); });
     }},
    {"vocabulary-forgotten",
     "You return periods above V. A segment of P different tokens needs P different tokens in the "
     "vocabulary.",
     kFair,
     [](const Periods& trained, std::size_t n, std::size_t) {
       return without(trained, n - 1, [n](std::size_t P, std::size_t T) { return is_counted(P, T, n); });
     }},
    {"largest-segment-forgotten",
     "You do not return P = V. A segment may hold all tokens of the vocabulary, each once.", kFair,
     [](const Periods& trained, std::size_t n, std::size_t V) {
       return without(trained, std::min(V, n) - 1,
                      [n](std::size_t P, std::size_t T) { return is_counted(P, T, n); });
     }},
    {"nothing-predictable",
     "You return P = n. Then the n tokens are one copy and no target is predictable: predictable are the "
     "positions from P on, and the last one is n - 1.",
     kFair,
     [](const Periods& trained, std::size_t n, std::size_t V) {
       return without(trained, std::min(V, n),
                      [n](std::size_t P, std::size_t T) { return is_counted(P, T, n); });
     }},
    {"range-for-list",
     "You treat all periods between the smallest and the largest trained one as trained. The "
     "list may have gaps, and a period in a gap may be tested.",
     kFair,
     [](const Periods& trained, std::size_t n, std::size_t V) {
       const auto [first, last] = std::minmax_element(trained.begin(), trained.end());
       return without(trained, last_of(n, V), [n, first, last](std::size_t P, std::size_t T) {
         return (P >= *first && P <= *last) || is_counted(P, T, n);
       });
     }},
    {"only-the-first-trained", "You look at the first trained period only. A head may count for any of them.",
     kFair, [](const Periods& trained, std::size_t n, std::size_t V) {
       return without({trained.front()}, last_of(n, V),
                      [n](std::size_t P, std::size_t T) { return is_counted(P, T, n); });
     }}};

}  // namespace mistakes
