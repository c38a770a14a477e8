// What people get wrong in parts 1 to 3 of exercise 12: two scores' worth of loops, and a curve.
#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <vector>

#include "exercise.h"
#include "grader/part.h"

namespace mistakes {

using grader::Mistake;
using MatchingScore = double (*)(const Tensor&, const std::vector<int>&);
using StrongestHead = std::vector<std::size_t> (*)(const Tensor&, double);
using StepOfChange = double (*)(const std::vector<double>&, const std::vector<double>&);

inline constexpr const char *kFollower = "The follower", *kTwoLayers = "Why two layers",
                            *kOneTraining = "One training, step by step", *kSeedsSection = "Five seeds",
                            *kHeadsSection = "The number of heads";

// The earlier copies of the token at q.
inline std::vector<std::size_t> copies(const std::vector<int>& tokens, std::size_t q) {
  std::vector<std::size_t> found;
  for (std::size_t j = 0; j < q; ++j)
    if (tokens[j] == tokens[q]) found.push_back(j);
  return found;
}

// Of a query: what its weights on some keys come to.
using RowSum = std::function<double(std::size_t q, const std::vector<std::size_t>& copies)>;

// The mean of this over the queries with an earlier copy.
inline double mean_over_queries(const std::vector<int>& tokens, const RowSum& of_row) {
  double total = 0, queries = 0;
  for (std::size_t q = 0; q < tokens.size(); ++q)
    if (const auto found = copies(tokens, q); !found.empty()) total += of_row(q, found), ++queries;
  return queries == 0 ? 0 : total / queries;
}

inline double followers_of(const Tensor& p, std::size_t q, const std::vector<std::size_t>& found) {
  double sum = 0;
  for (std::size_t j : found) sum += p.array()(q, j + 1);
  return sum;
}

// The sum of the weights on all followers, and how many queries and how many followers there are.
struct Counted {
  double sum = 0, queries = 0, followers = 0;
};
inline Counted counted(const Tensor& p, const std::vector<int>& tokens) {
  Counted all;
  all.sum = 0;
  for (std::size_t q = 0; q < tokens.size(); ++q) {
    const auto found = copies(tokens, q);
    all.sum += followers_of(p, q, found);
    all.queries += !found.empty();
    all.followers += static_cast<double>(found.size());
  }
  return all;
}

inline const std::vector<Mistake<MatchingScore>> kOfMatchingScore = {
    {"copy-for-follower",
     "You add up the weights on the earlier copies themselves. That is the duplicate-token score. An "
     "induction head looks one place further, at j + 1: there stands what came next.",
     kFollower,
     [](const Tensor& p, const std::vector<int>& tokens) {
       return mean_over_queries(tokens, [&](std::size_t q, const auto& found) {
         double sum = 0;
         for (std::size_t j : found) sum += p.array()(q, j);
         return sum;
       });
     }},
    {"token-before-the-copy",
     "You take the weight on j - 1, the token before the earlier copy. The follower is the token after it, "
     "j + 1.",
     kFollower,
     [](const Tensor& p, const std::vector<int>& tokens) {
       return mean_over_queries(tokens, [&](std::size_t q, const auto& found) {
         double sum = 0;
         for (std::size_t j : found)
           if (j > 0) sum += p.array()(q, j - 1);
         return sum;
       });
     }},
    {"first-copy-only",
     "You take the follower of the first earlier copy and stop. If there are several copies, the weights on "
     "all their followers add up.",
     kFollower,
     [](const Tensor& p, const std::vector<int>& tokens) {
       return mean_over_queries(
           tokens, [&](std::size_t q, const auto& found) { return p.array()(q, found.front() + 1); });
     }},
    {"last-copy-only",
     "You take the follower of the latest earlier copy only. If there are several copies, the weights on all "
     "their followers add up.",
     kFollower,
     [](const Tensor& p, const std::vector<int>& tokens) {
       return mean_over_queries(
           tokens, [&](std::size_t q, const auto& found) { return p.array()(q, found.back() + 1); });
     }},
    {"largest-follower-only",
     "You take the largest weight on a follower. The weights on all followers of a query add up: a head that "
     "divides its weight among them looks at the right places too.",
     kFollower,
     [](const Tensor& p, const std::vector<int>& tokens) {
       return mean_over_queries(tokens, [&](std::size_t q, const auto& found) {
         double largest = 0;
         for (std::size_t j : found) largest = std::max(largest, p.array()(q, j + 1));
         return largest;
       });
     }},
    {"mean-over-followers",
     "You divide by the number of followers. Several followers of one query are one sum; the mean is over "
     "queries.",
     kFollower,
     [](const Tensor& p, const std::vector<int>& tokens) {
       const Counted all = counted(p, tokens);
       return all.followers == 0 ? 0 : all.sum / all.followers;
     }},
    {"mean-within-the-row",
     "You take the mean of a query's weights on its followers. They add up: with two followers and 0.5 on "
     "each, the query has all its weight at the right places, which counts 1.",
     kFollower,
     [](const Tensor& p, const std::vector<int>& tokens) {
       return mean_over_queries(tokens, [&](std::size_t q, const auto& found) {
         return followers_of(p, q, found) / static_cast<double>(found.size());
       });
     }},
    {"all-queries-counted",
     "You divide by the number of all queries. A query whose token has no earlier copy has no follower to "
     "look at, so it does not count. If your j goes up to q itself, every query has a copy: stop before q.",
     kFollower,
     [](const Tensor& p, const std::vector<int>& tokens) {
       return counted(p, tokens).sum / static_cast<double>(tokens.size());
     }},
    {"later-copies-counted",
     "You also count queries whose token comes again only later. A query sees nothing after itself: j < q.",
     kFollower,
     [](const Tensor& p, const std::vector<int>& tokens) {
       double queries = 0;
       for (int token : tokens) queries += std::count(tokens.begin(), tokens.end(), token) > 1;
       return queries == 0 ? 0 : counted(p, tokens).sum / queries;
     }},
    {"follower-at-the-query-left-out",
     "You leave out a follower that is the query itself. If two equal tokens stand side by side, the token "
     "after the first is the second: j + 1 == q, and its weight counts.",
     kFollower,
     [](const Tensor& p, const std::vector<int>& tokens) {
       return mean_over_queries(tokens, [&](std::size_t q, const auto& found) {
         double sum = 0;
         for (std::size_t j : found)
           if (j + 1 < q) sum += p.array()(q, j + 1);
         return sum;
       });
     }},
    {"row-for-column",
     "You exchanged the indices: pattern(q, k) is the weight of query q on key k. The follower is the key.",
     kFollower,
     [](const Tensor& p, const std::vector<int>& tokens) {
       return mean_over_queries(tokens, [&](std::size_t q, const auto& found) {
         double sum = 0;
         for (std::size_t j : found) sum += p.array()(j + 1, q);
         return sum;
       });
     }},
    {"sum-for-mean", "You return the sum over all queries. Divide it by the number of queries that count.",
     kFollower, [](const Tensor& p, const std::vector<int>& tokens) { return counted(p, tokens).sum; }},
    {"no-query-counts", "If no token occurs twice, you divide 0 by 0, which is no number. Return 0 then.",
     kFollower, [](const Tensor& p, const std::vector<int>& tokens) {
       const Counted all = counted(p, tokens);
       return all.queries == 0 ? std::numeric_limits<double>::quiet_NaN() : all.sum / all.queries;
     }}};

inline std::size_t width(const Tensor& scores) { return scores.length(1); }

// The number, row by row, of the first largest score.
inline std::size_t largest(const Tensor& scores) {
  const auto& all = scores.array();
  return static_cast<std::size_t>(std::max_element(all.begin(), all.end()) - all.begin());
}
inline double at(const Tensor& scores, std::size_t i) { return scores.array().data()[i]; }

inline const std::vector<Mistake<StrongestHead>> kOfStrongestHead = {
    {"head-before-layer", "You return {head, layer}. The layer comes first.", kOneTraining,
     [](const Tensor& s, double threshold) -> std::vector<std::size_t> {
       const std::size_t i = largest(s);
       if (at(s, i) < threshold) return {};
       return {i % width(s), i / width(s)};
     }},
    {"divided-by-layers",
     "You count the heads row by row, and divide by the number of layers. A row has as many numbers as a "
     "layer has heads: divide by scores.length(1).",
     kOneTraining,
     [](const Tensor& s, double threshold) -> std::vector<std::size_t> {
       const std::size_t i = largest(s);
       if (at(s, i) < threshold) return {};
       return {i / s.length(0), i % s.length(0)};
     }},
    {"first-above-threshold",
     "You return the first head that reaches the threshold. A later one may have a larger score.",
     kOneTraining,
     [](const Tensor& s, double threshold) -> std::vector<std::size_t> {
       for (std::size_t i = 0; i < s.array().size(); ++i)
         if (at(s, i) >= threshold) return {i / width(s), i % width(s)};
       return {};
     }},
    {"last-of-equals", "Of equal scores you return the last head. Compare with >, not with >=.", kOneTraining,
     [](const Tensor& s, double threshold) -> std::vector<std::size_t> {
       std::size_t best = 0;
       for (std::size_t i = 0; i < s.array().size(); ++i)
         if (at(s, i) >= at(s, best)) best = i;
       if (at(s, best) < threshold) return {};
       return {best / width(s), best % width(s)};
     }},
    {"equal-does-not-count",
     "A score that equals the threshold counts. Return {} only if the largest score is below.", kOneTraining,
     [](const Tensor& s, double threshold) -> std::vector<std::size_t> {
       const std::size_t i = largest(s);
       if (at(s, i) <= threshold) return {};
       return {i / width(s), i % width(s)};
     }},
    {"threshold-ignored",
     "You return a head also if the largest score is below the threshold. Every model has a best head, and "
     "mostly it is no induction head.",
     kOneTraining,
     [](const Tensor& s, double) -> std::vector<std::size_t> {
       return {largest(s) / width(s), largest(s) % width(s)};
     }},
    {"zeros-for-none", "If no head counts you return {0, 0}, which is a head. Return {}.", kOneTraining,
     [](const Tensor& s, double threshold) -> std::vector<std::size_t> {
       const std::size_t i = largest(s);
       if (at(s, i) < threshold) return {0, 0};
       return {i / width(s), i % width(s)};
     }},
    {"last-layer-only",
     "You search the last layer only. An induction head may stand in any layer but the first, and this "
     "function is for other scores too.",
     kOneTraining,
     [](const Tensor& s, double threshold) -> std::vector<std::size_t> {
       const std::size_t last = s.length(0) - 1;
       std::size_t best = last * width(s);
       for (std::size_t i = best; i < s.array().size(); ++i)
         if (at(s, i) > at(s, best)) best = i;
       if (at(s, best) < threshold) return {};
       return {last, best % width(s)};
     }},
    {"counted-from-1", "You count layers and heads from 1. Both count from 0.", kOneTraining,
     [](const Tensor& s, double threshold) -> std::vector<std::size_t> {
       const std::size_t i = largest(s);
       if (at(s, i) < threshold) return {};
       return {i / width(s) + 1, i % width(s) + 1};
     }}};

}  // namespace mistakes
