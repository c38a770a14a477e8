// What people get wrong in parts 1 and 2 of exercise 12: a head score and a pattern.
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
using MatchingPattern = Tensor (*)(const std::vector<int>&, const Tensor&, double);
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

// What is done instead of what part 2 says.
enum class Matched { notes, tokens, queries_note, both_notes, transposed, most_looked_at, token_before };
struct Careless {
  Matched matched = Matched::notes;
  bool no_mask = false, over_queries = false, strict_mask = false;
  enum { multiplied, ignored, divided } sharpness = multiplied;
  enum { in_time, too_late, score_0 } mask = in_time;
};

// The part of a position's note that is this token.
inline double noted(const std::vector<int>& tokens, const Tensor& previous, std::size_t at, int token,
                    bool transposed = false) {
  double part = 0;
  for (std::size_t j = 0; j < tokens.size(); ++j)
    if (tokens[j] == token) part += transposed ? previous.array()(j, at) : previous.array()(at, j);
  return part;
}
inline double score_of(Matched matched, const std::vector<int>& tokens, const Tensor& previous, std::size_t q,
                       std::size_t k) {
  const std::size_t n = tokens.size();
  if (matched == Matched::tokens) return tokens[q] == tokens[k];
  if (matched == Matched::queries_note) return noted(tokens, previous, q, tokens[k]);
  if (matched == Matched::token_before) return k > 0 && tokens[k - 1] == tokens[q];
  if (matched == Matched::most_looked_at) {
    const Real* row = previous.array().data() + k * n;
    return tokens[static_cast<std::size_t>(std::max_element(row, row + n) - row)] == tokens[q];
  }
  if (matched != Matched::both_notes)
    return noted(tokens, previous, k, tokens[q], matched == Matched::transposed);
  double product = 0;
  for (std::size_t j = 0; j < n; ++j)
    product += previous.array()(q, j) * noted(tokens, previous, k, tokens[j]);
  return product;
}

template <Careless wrong>
Tensor pattern_with(const std::vector<int>& tokens, const Tensor& previous, double sharpness) {
  const std::size_t n = tokens.size();
  Array scores = zeros({n, n}).array();
  const double factor = wrong.sharpness == Careless::ignored   ? 1
                        : wrong.sharpness == Careless::divided ? 1 / sharpness
                                                               : sharpness;
  for (std::size_t q = 0; q < n; ++q)
    for (std::size_t k = 0; k < n; ++k) {
      const bool hidden = !wrong.no_mask && (k > q || (wrong.strict_mask && k == q && q > 0));
      scores(q, k) = hidden ? (wrong.mask == Careless::score_0 ? 0 : -1e9)
                            : factor * score_of(wrong.matched, tokens, previous, q, k);
    }
  Array pattern = softmax(Tensor(scores), wrong.over_queries ? 0 : -1).array();
  for (std::size_t q = 0; wrong.mask == Careless::too_late && q < n; ++q)
    for (std::size_t k = q + 1; k < n; ++k) pattern(q, k) = 0;
  return Tensor(pattern);
}

inline const std::vector<Mistake<MatchingPattern>> kOfMatchingPattern = {
    {"matches-the-token-itself",
     "You compare the query with the token at the key. That finds the earlier copy, as a duplicate-token "
     "head "
     "does. Compare it with the key's note, the tokens that layer 0 looked at from there.",
     kTwoLayers, pattern_with<Careless{.matched = Matched::tokens}>},
    {"the-query's-note",
     "You compare the note of the query with the token at the key. It is the other way round: the query is "
     "the "
     "present token, and the note stands in the key.",
     kTwoLayers, pattern_with<Careless{.matched = Matched::queries_note}>},
    {"notes-on-both-sides",
     "You compare the note of the query with the note of the key. The query is the present token itself.",
     kTwoLayers, pattern_with<Careless{.matched = Matched::both_notes}>},
    {"previous-transposed",
     "You read column k of `previous`: who looks at k. The note of k says where k looks, which is row k.",
     kTwoLayers, pattern_with<Careless{.matched = Matched::transposed}>},
    {"only-the-largest-weight",
     "Your note says only the token with the largest weight. A note holds each token with its weight.",
     kTwoLayers, pattern_with<Careless{.matched = Matched::most_looked_at}>},
    {"previous-not-used",
     "You compare the query with token k - 1, whatever `previous` is. The note of k says what the head of "
     "layer 0 "
     "looked at, and this head may look elsewhere too.",
     kTwoLayers, pattern_with<Careless{.matched = Matched::token_before}>},
    {"no-mask", "Your softmax goes over all keys. Those behind the query have weight 0.", kTwoLayers,
     pattern_with<Careless{.no_mask = true}>},
    {"hidden-after-the-softmax",
     "You set the later keys to 0 after the softmax. They have taken weight by then, so that your rows no "
     "longer add up to 1. Hide them before.",
     kTwoLayers, pattern_with<Careless{.no_mask = true, .mask = Careless::too_late}>},
    {"score-0-for-later-keys",
     "You give the later keys the score 0, and the softmax makes e⁰ = 1 of it. Hide them with a very low "
     "score.",
     kTwoLayers, pattern_with<Careless{.mask = Careless::score_0}>},
    {"itself-hidden", "You hide the query's own place. A query sees the keys 0 … q, itself included.",
     kTwoLayers, pattern_with<Careless{.strict_mask = true}>},
    {"softmax-over-queries",
     "Your softmax goes down the columns. The weights of a query add up to 1: axis -1.", kTwoLayers,
     pattern_with<Careless{.over_queries = true}>},
    {"sharpness-ignored",
     "You do not multiply the scores by `sharpness`. With scores from 0 to 1 a match gets only e times the "
     "weight "
     "of another key.",
     kTwoLayers, pattern_with<Careless{.sharpness = Careless::ignored}>},
    {"sharpness-divides", "You divide by `sharpness`, which makes the pattern flatter. Multiply by it.",
     kTwoLayers, pattern_with<Careless{.sharpness = Careless::divided}>}};

}  // namespace mistakes
