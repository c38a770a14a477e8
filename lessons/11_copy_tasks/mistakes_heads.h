// What people get wrong in parts 3 to 5 of exercise 11: a score, a head that counts, the token unseen for
// longest.
#pragma once

#include <algorithm>
#include <map>
#include <vector>

#include "headlight/core/math.h"
#include "mistakes.h"

namespace mistakes {

using Tokens = std::vector<std::int32_t>;
using PreviousTokenScore = double (*)(const Tensor&);
using CountingHead = Tensor (*)(const Tokens&, std::size_t, std::size_t);
using UnseenForLongest = Tokens (*)(const Tokens&);

// The sum of the weights of the queries first … last on the keys `by` later, divided by `count`.
inline double mean_weight(const Tensor& pattern, std::size_t first, std::size_t last, int by, double count) {
  double weight = 0;
  for (std::size_t i = first; i <= last; ++i)
    weight += pattern.array()(i, static_cast<std::size_t>(static_cast<int>(i) + by));
  return weight / count;
}
inline double length_of(const Tensor& pattern) { return static_cast<double>(pattern.length(0)); }

inline const std::vector<Mistake<PreviousTokenScore>> kOfScore = {
    {"counts-query-0",
     "You divide by n. Query 0 has no key before it and does not count, so the mean is over n - 1 queries. A "
     "perfect head would else score below 1, and the shorter the sequence, the lower.",
     kRandom, [](const Tensor& p) { return mean_weight(p, 1, p.length(0) - 1, -1, length_of(p)); }},
    {"sum-for-mean",
     "You return the sum of the weights. It grows with the length of the sequence; the score is their mean.",
     kRandom, [](const Tensor& p) { return mean_weight(p, 1, p.length(0) - 1, -1, 1); }},
    {"the-next-token",
     "You read pattern(i, i + 1), the weight on the token after, which a causal mask hides. Or rows and "
     "columns "
     "are exchanged: the row is the query. The token before query i is column i - 1.",
     kRandom, [](const Tensor& p) { return mean_weight(p, 0, p.length(0) - 2, 1, length_of(p) - 1); }},
    {"the-token-itself",
     "You read the diagonal, the weight of each query on itself. The token before is column i - 1.", kRandom,
     [](const Tensor& p) { return mean_weight(p, 0, p.length(0) - 1, 0, length_of(p)); }},
    {"the-token-itself-without-query-0",
     "You leave out query 0, but read the diagonal: the weight of each query on itself. The token before is "
     "column "
     "i - 1.",
     kRandom, [](const Tensor& p) { return mean_weight(p, 1, p.length(0) - 1, 0, length_of(p) - 1); }},
    {"wraps-around",
     "You count query 0 too, with the last key as the one before it. Query 0 has none: leave it out.",
     kRandom,
     [](const Tensor& p) {
       const std::size_t n = p.length(0);
       return (mean_weight(p, 1, n - 1, -1, 1) + p.array()(0, n - 1)) / length_of(p);
     }},
    {"last-query-forgotten", "Your loop ends one query too early: i goes up to n - 1, included.", kRandom,
     [](const Tensor& p) {
       const std::size_t n = p.length(0);
       return mean_weight(p, 1, n - 2, -1, std::max(1.0, length_of(p) - 2));
     }},
    {"mean-over-all-cells",
     "You divide by n·n, the number of all cells. Of each query but the first you add one weight: divide by "
     "n - 1.",
     kRandom,
     [](const Tensor& p) { return mean_weight(p, 1, p.length(0) - 1, -1, length_of(p) * length_of(p)); }},
    {"share-of-largest",
     "You count the queries whose largest weight is on the key before. That throws the weights away: 0.9 and "
     "0.4 would count the same. Add up the weights themselves.",
     kRandom, [](const Tensor& p) {
       const std::size_t n = p.length(0);
       double count = 0;
       for (std::size_t i = 1; i < n; ++i) {
         const Real* row = p.array().data() + i * n;
         count += std::max_element(row, row + n) - row == static_cast<std::ptrdiff_t>(i - 1);
       }
       return count / (length_of(p) - 1);
     }}};

// What is done instead of what part 4 says.
struct Wrong {
  int more_back = 0;            // looks so much farther back than period - 1
  bool from_the_start = false;  // the key period - 1 itself
  bool ahead = false;           // period - 1 ahead
  bool sees_all = false;        // no causal mask
  double score = 20;
  bool over_queries = false;  // the softmax goes over columns
  bool not_divided = false;   // e to the score, not divided by the sum
  bool hard = false;          // the weight 1 and no softmax
  bool first_key = false;     // early queries look at key 0
  int first_query = 0;        // after period - 1: the first query that looks at a key so far back
  bool all_answers = false;   // also 2·period - 1 back, and so on
};

inline Tensor scores_with(std::size_t n, std::size_t period, const Wrong& wrong) {
  Array scores = zeros({n, n}).array();
  const int back = static_cast<int>(period) - 1 + wrong.more_back, length = static_cast<int>(n);
  for (int i = 0; i < length; ++i) {
    int key = i - back;
    if (wrong.from_the_start) key = back;
    if (wrong.ahead) key = i + back;
    if (wrong.first_key) key = std::max(0, key);
    if (wrong.first_query > 0 && i < back + wrong.first_query) continue;
    if (key >= 0 && key < length) scores(i, key) = wrong.score;
    for (key -= back + 1; wrong.all_answers && key >= 0; key -= back + 1) scores(i, key) = wrong.score;
  }
  return Tensor(scores);
}
inline Tensor counting_with(const Tokens& tokens, std::size_t V, std::size_t period, const Wrong& wrong,
                            const Tokens* values = nullptr) {
  const std::size_t n = tokens.size();
  Array one_hot = zeros({n, V}).array();
  const Tokens& written = values == nullptr ? tokens : *values;
  for (std::size_t j = 0; j < written.size(); ++j) one_hot(j, static_cast<std::size_t>(written[j])) = 1;
  const Tensor scores = scores_with(n, period, wrong);
  if (wrong.hard) return matmul(scores / 20, Tensor(one_hot));
  const Tensor allowed = wrong.sees_all ? zeros({n, n}) + 1 : solution::lesson_07::causal_mask_of(n, n);
  const Tensor kept = scores - 1e9 * (1 - allowed);
  if (wrong.not_divided) return matmul(exp(kept), Tensor(one_hot));
  return matmul(softmax(kept, wrong.over_queries ? 0 : -1), Tensor(one_hot));
}
template <Wrong wrong>
Tensor counting(const Tokens& tokens, std::size_t V, std::size_t period) {
  return counting_with(tokens, V, period, wrong);
}

inline const std::vector<Mistake<CountingHead>> kOfCounting = {
    {"looks-at-the-copy",
     "Your head looks `period` back, at the earlier copy of the token that it reads, and so says this token "
     "again. "
     "What came next stands one place later: period - 1 back.",
     kCounts, counting<Wrong{.more_back = 1}>},
    {"one-too-near",
     "Your head looks period - 2 back, one place past the token that came next. That one is period - 1 back.",
     kCounts, counting<Wrong{.more_back = -1}>},
    {"counts-from-the-start",
     "All your queries look at the same key, number period - 1: you count from the start of the sequence. "
     "Count "
     "from the query: key i - (period - 1).",
     kCounts, counting<Wrong{.from_the_start = true}>},
    {"counts-ahead",
     "Your scores stand at key i + (period - 1), which the mask hides. What came next stands before the "
     "query: key "
     "i - (period - 1).",
     kCounts, counting<Wrong{.ahead = true}>},
    {"no-mask",
     "Your softmax goes over all keys, also those behind the query. Early queries then see what comes. The "
     "causal "
     "mask has 0 where a score must be made very small, before the softmax.",
     kCounts, counting<Wrong{.sees_all = true}>},
    {"softmax-over-queries",
     "Your softmax goes down the columns: the weights on a key add up to 1. The weights of a query must: "
     "axis -1.",
     kCounts, counting<Wrong{.over_queries = true}>},
    {"score-of-1",
     "Your score is 1. Then the right key gets only e times the weight of each other key. With 20 it gets e "
     "to the "
     "20, 485 million times.",
     kCounts, counting<Wrong{.score = 1}>},
    {"not-divided",
     "You take e to the scores and do not divide by the sum of the row. Weights of a query add up to 1.",
     kCounts, counting<Wrong{.not_divided = true}>},
    {"no-softmax",
     "You set the weights themselves, 1 and 0. Queries that have no such key then look nowhere. In a softmax "
     "their "
     "equal scores give equal weights to all keys that they may see.",
     kCounts, counting<Wrong{.hard = true}>},
    {"early-queries-at-key-0",
     "Your early queries, which have no key so far back, score key 0 with 20. All their scores are 0, so "
     "their "
     "weights are even.",
     kCounts, counting<Wrong{.first_key = true}>},
    {"first-query-forgotten",
     "You begin at query `period`. Query period - 1 has such a key already: period - 1 back stands key 0.",
     kCounts, counting<Wrong{.first_query = 1}>},
    {"all-answers",
     "Your head looks at all earlier answers: period - 1 back, 2·period - 1 back, and so on. It shall look "
     "at "
     "the nearest one only, one period before the token that it predicts.",
     kCounts, counting<Wrong{.all_answers = true}>},
    {"writes-the-next-token",
     "Your one-hot rows hold token j + 1. A key offers its own token: it stands where the answer stands "
     "already.",
     kCounts, [](const Tokens& tokens, std::size_t V, std::size_t period) {
       const Tokens next(tokens.begin() + 1, tokens.end());
       return counting_with(tokens, V, period, {}, &next);
     }}};

// For each position: the token with the smallest number, of those in `numbers` after `see` was called.
template <class See>
Tokens smallest(const Tokens& tokens, const See& see) {
  std::map<std::int32_t, int> numbers;
  Tokens said;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    see(numbers, static_cast<int>(i));
    const auto less = [](const auto& a, const auto& b) { return a.second < b.second; };
    said.push_back(numbers.empty() ? tokens[i]
                                   : std::min_element(numbers.begin(), numbers.end(), less)->first);
  }
  return said;
}

inline const std::vector<Mistake<UnseenForLongest>> kOfUnseen = {
    {"first-seen",
     "You keep where each token was seen first, so you always say token 0 of the sequence. Keep where it was "
     "seen "
     "last: a token that comes back is new again.",
     kOneLayer, [](const Tokens& t) { return Tokens(t.size(), t.front()); }},
    {"seen-most-recently",
     "You say the token that was seen most recently, which is the one being read. Longest ago is the "
     "smallest "
     "position.",
     kOneLayer, [](const Tokens& t) { return t; }},
    {"by-first-appearance",
     "You keep the tokens in the order in which they first appeared, and say the one after the present "
     "token. "
     "That is the same as long as a segment repeats. Elsewhere a token that comes back moves to the end.",
     kOneLayer,
     [](const Tokens& t) {
       Tokens order, said;
       for (const std::int32_t token : t) {
         if (std::find(order.begin(), order.end(), token) == order.end()) order.push_back(token);
         const auto next = std::find(order.begin(), order.end(), token) + 1;
         said.push_back(next == order.end() ? order.front() : *next);
       }
       return said;
     }},
    {"without-the-present",
     "You note a token only after you have answered. At position i the token i has been seen: note it first.",
     kOneLayer,
     [](const Tokens& t) {
       return smallest(t, [&](auto& last, int i) {
         if (i > 0) last[t[i - 1]] = i - 1;
       });
     }},
    {"sees-the-future",
     "You look for the last occurrence in the whole sequence. At position i only tokens 0 … i are known.",
     kOneLayer,
     [](const Tokens& t) {
       std::map<std::int32_t, int> ends;
       for (std::size_t i = 0; i < t.size(); ++i) ends[t[i]] = static_cast<int>(i);
       return smallest(t, [&](auto& last, int i) { last[t[i]] = ends[t[i]]; });
     }},
    {"position-for-token",
     "You return the position where the token was last seen. Return the token that stands there.", kOneLayer,
     [](const Tokens& t) {
       Tokens said = solution::unseen_for_longest(t);
       for (std::size_t i = 0; i < t.size(); ++i) {
         std::size_t last = 0;
         for (std::size_t j = 0; j <= i; ++j)
           if (t[j] == said[i]) last = j;
         said[i] = static_cast<std::int32_t>(last);
       }
       return said;
     }},
    {"how-long-ago", "You return how many positions ago the token was seen. Return the token itself.",
     kOneLayer,
     [](const Tokens& t) {
       Tokens said = solution::unseen_for_longest(t);
       for (std::size_t i = 0; i < t.size(); ++i) {
         std::size_t last = 0;
         for (std::size_t j = 0; j <= i; ++j)
           if (t[j] == said[i]) last = j;
         said[i] = static_cast<std::int32_t>(i - last);
       }
       return said;
     }},
    {"least-frequent",
     "You say the token that was seen least often. It does not matter how often, only when last.", kOneLayer,
     [](const Tokens& t) { return smallest(t, [&](auto& count, int i) { ++count[t[i]]; }); }},
    {"smallest-token",
     "You say the smallest token so far. A map is ordered by its keys, the tokens; compare what it holds for "
     "them, "
     "the positions.",
     kOneLayer,
     [](const Tokens& t) { return smallest(t, [&](auto& token, int i) { token[t[i]] = t[i]; }); }}};

}  // namespace mistakes
