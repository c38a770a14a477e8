// What people get wrong in parts 1 and 2 of exercise 12: a head score and a pattern.
#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <vector>

#include "exercise.h"
#include "grader/slips.h"

namespace mistakes {

using grader::Made, grader::Slip;
using Tokens = std::vector<int>;
using Numbers = std::vector<double>;
using MatchingScore = std::function<double(const Tensor&, const Tokens&)>;
using MatchingPattern = std::function<Tensor(const Tokens&, const Tensor&, double)>;

inline constexpr const char *kFollower = "The follower", *kTwoLayers = "Why two layers",
                            *kOneTraining = "One training, step by step", *kSeedsSection = "Five seeds",
                            *kHeadsSection = "The number of heads";

// ---- Part 1 ----

// The weights of query q that count, one for each earlier copy.
inline Numbers weights_of(const Made& made, const Tensor& pattern, const Tokens& tokens, std::size_t q) {
  const Array& p = pattern.array();
  Numbers found;
  for (std::size_t j = made("position-0-left-out") ? 1 : 0; j < q; ++j) {
    if ((tokens[j] == tokens[q]) == made("other-tokens")) continue;
    const std::size_t key = made("copy-for-follower") ? j : made("token-before-the-copy") ? j - 1 : j + 1;
    if (key >= q && made("loop-ends-before-the-query")) continue;
    const bool left_out = key >= q && made("follower-at-the-query-left-out");
    found.push_back(left_out || key > q ? 0 : made("row-for-column") ? p(key, q) : p(q, key));
  }
  return found;
}
inline double of_query(const Made& made, const Numbers& weights) {
  if (made("first-copy-only")) return weights.front();
  if (made("last-copy-only")) return weights.back();
  if (made("largest-follower-only")) return *std::max_element(weights.begin(), weights.end());
  double sum = 0;
  for (const double weight : weights) sum += weight;
  return made("mean-within-the-row") ? sum / static_cast<double>(weights.size()) : sum;
}

inline double matching_score(const Made& made, const Tensor& p, const Tokens& tokens) {
  double total = 0, so_far = 0, queries = 0, followers = 0, repeated = 0, later = 0;
  for (std::size_t q = 0; q < tokens.size() - (made("last-query-left-out") ? 1 : 0); ++q) {
    repeated += std::count(tokens.begin(), tokens.end(), tokens[q]) > 1;
    const Numbers weights = weights_of(made, p, tokens, q);
    later += queries > 0 || !weights.empty();
    if (made("sum-of-the-query-not-reset")) total += so_far;
    if (weights.empty()) continue;
    so_far += of_query(made, weights);
    if (made("first-query-alone") && queries > 0) continue;
    total += of_query(made, weights), ++queries, followers += static_cast<double>(weights.size());
  }
  if (made("sum-for-mean")) return total;
  const double divisor = made("mean-over-followers")         ? followers
                         : made("all-queries-counted")       ? static_cast<double>(tokens.size())
                         : made("all-but-the-first-counted") ? static_cast<double>(tokens.size() - 1)
                         : made("later-copies-counted")      ? repeated
                         : made("found-not-reset")           ? later
                                                             : queries;
  return divisor == 0 && !made("no-query-counts") ? 0 : total / divisor;
}

inline const std::vector<Slip> kOfMatchingScore = {
    {"copy-for-follower",
     "You add up the weights on the earlier copies themselves. That is the duplicate-token score. An "
     "induction head looks one place further, at j + 1: there stands what came next.",
     kFollower},
    {"token-before-the-copy",
     "You take the weight on j - 1, the token before the earlier copy. The follower is the token after it, j "
     "+ 1.",
     kFollower},
    {"first-copy-only",
     "You take the follower of the first earlier copy and stop. If there are several copies, the weights on "
     "all their followers add up.",
     kFollower},
    {"last-copy-only",
     "You take the follower of the latest earlier copy only. If there are several copies, the weights on all "
     "their followers add up.",
     kFollower},
    {"largest-follower-only",
     "You take the largest weight on a follower. The weights on all followers of a query add up: a head that "
     "divides its weight among them looks at the right places too.",
     kFollower},
    {"mean-over-followers",
     "You divide by the number of followers. Several followers of one query are one sum; the mean is over "
     "queries.",
     kFollower},
    {"mean-within-the-row",
     "You take the mean of a query's weights on its followers. They add up: with two followers and 0.5 on "
     "each, the query has all its weight at the right places, which counts 1.",
     kFollower},
    {"all-queries-counted",
     "You divide by the number of all queries. A query whose token has no earlier copy has no follower to "
     "look at, so it does not count. If your j goes up to q itself, every query has a copy: stop before q.",
     kFollower},
    {"all-but-the-first-counted",
     "You divide by the number of all queries but the first. A query whose token has no earlier copy has no "
     "follower to look at, so it does not count.",
     kFollower},
    {"position-0-left-out", "You leave out the copy at position 0. Positions count from 0, and so does j.",
     kFollower},
    {"later-copies-counted",
     "You also count queries whose token comes again only later. A query sees nothing after itself: j < q.",
     kFollower},
    {"other-tokens",
     "You look for earlier tokens that differ from the query's. An earlier copy is equal: tokens[j] == "
     "tokens[q].",
     kFollower},
    {"last-query-left-out", "You leave out the last query. Queries go up to tokens.size() - 1.", kFollower},
    {"sum-of-the-query-not-reset",
     "Your sum of one query goes on from the query before, and is added to the total each time. Set it to 0 "
     "for each query.",
     kFollower},
    {"first-query-alone",
     "You return within the loop, after the first query with a copy. Add up all queries, and return behind the "
     "loop.",
     kFollower},
    {"found-not-reset",
     "Once a copy was found, all later queries count. Set it back to false for each query.", kFollower},
    {"follower-at-the-query-left-out",
     "You leave out a follower that is the query itself. If two equal tokens stand side by side, the token "
     "after the first is the second: j + 1 == q, and its weight counts.",
     kFollower},
    {"loop-ends-before-the-query",
     "Your loop ends before the follower that is the query itself, as with j + 1 < q. If two equal tokens "
     "stand side by side, the token after the first is the second: let j + 1 reach q, and count this query.",
     kFollower},
    {"row-for-column",
     "You exchanged the indices: pattern(q, k) is the weight of query q on key k. The follower is the key.",
     kFollower},
    {"sum-for-mean", "You return the sum over all queries. Divide it by the number of queries that count.",
     kFollower},
    {"no-query-counts", "If no token occurs twice, you divide 0 by 0, which is no number. Return 0 then.",
     kFollower}};

// ---- Part 2 ----

// The part of a position's note that is this token.
inline double noted(const Made& made, const Tokens& tokens, const Tensor& previous, std::size_t at,
                    int token) {
  const Array& p = previous.array();
  const auto weight = [&](std::size_t j) { return made("previous-transposed") ? p(j, at) : p(at, j); };
  double part = 0;
  std::size_t most = 0;
  for (std::size_t j = 0; j < tokens.size(); ++j) {
    if (weight(j) > weight(most)) most = j;
    if (tokens[j] == token) part += weight(j);
  }
  return made("only-the-largest-weight") ? tokens[most] == token : part;
}
inline double score_of(const Made& made, const Tokens& tokens, const Tensor& previous, std::size_t q,
                       std::size_t k) {
  if (made("matches-the-token-itself")) return tokens[q] == tokens[k];
  if (made("the-query's-note")) return noted(made, tokens, previous, q, tokens[k]);
  if (made("previous-not-used")) return k > 0 && tokens[k - 1] == tokens[q];
  if (!made("notes-on-both-sides")) return noted(made, tokens, previous, k, tokens[q]);
  double product = 0;
  for (std::size_t j = 0; j < tokens.size(); ++j)
    product += previous.array()(q, j) * noted(made, tokens, previous, k, tokens[j]);
  return product;
}

inline Tensor matching_pattern(const Made& made, const Tokens& tokens, const Tensor& previous,
                               double sharpness) {
  const std::size_t n = tokens.size();
  Array scores = zeros({n, n}).array();
  const double factor = made("sharpness-ignored") || made("sharpness-after-the-softmax") ? 1
                        : made("sharpness-divides")                                      ? 1 / sharpness
                                                                                         : sharpness;
  const bool too_late = made("hidden-after-the-softmax");
  const auto hidden = [&](std::size_t q, std::size_t k) {
    if (made("earlier-hidden")) return k < q;
    if (made("one-key-too-many")) return k > q + 1;
    if (made("itself-hidden-by-a-number") || made("itself-hidden-by-a-sum")) return k >= q;
    return k > q || (made("itself-hidden") && k == q && q > 0);
  };
  for (std::size_t q = 0; q < n; ++q)
    for (std::size_t k = 0; k < n; ++k)
      scores(q, k) = !hidden(q, k) || made("no-mask") || too_late
                         ? factor * score_of(made, tokens, previous, q, k)
                     : made("score-0-for-later-keys") ? 0
                     : made("mask-with-a-plus")       ? 1e9
                     : made("itself-hidden-by-a-sum") ? factor * score_of(made, tokens, previous, q, k) - 1e9
                                                      : -1e9;
  Array pattern =
      made("no-softmax") ? scores : softmax(Tensor(scores), made("softmax-over-queries") ? 0 : -1).array();
  if (made("softmax-twice")) pattern = softmax(Tensor(pattern), -1).array();
  if (made("sharpness-after-the-softmax")) pattern *= sharpness;
  for (std::size_t q = 0; too_late && q < n; ++q)
    for (std::size_t k = 0; k < n; ++k)
      if (hidden(q, k)) pattern(q, k) = 0;
  return Tensor(pattern);
}

inline const std::vector<Slip> kOfMatchingPattern = {
    {"matches-the-token-itself",
     "You compare the query with the token at the key. That finds the earlier copy, as a duplicate-token "
     "head does. Compare it with the key's note, the tokens that layer 0 looked at from there.",
     kTwoLayers},
    {"the-query's-note",
     "You compare the note of the query with the token at the key. It is the other way round: the query is "
     "the present token, and the note stands in the key.",
     kTwoLayers},
    {"notes-on-both-sides",
     "You compare the note of the query with the note of the key. The query is the present token itself.",
     kTwoLayers},
    {"previous-transposed",
     "You read column k of `previous`: who looks at k. The note of k says where k looks, which is row k.",
     kTwoLayers},
    {"only-the-largest-weight",
     "Your note says only the token with the largest weight. A note holds each token with its weight.",
     kTwoLayers},
    {"previous-not-used",
     "You compare the query with token k - 1, whatever `previous` is. The note of k says what the head of "
     "layer 0 looked at, and this head may look elsewhere too.",
     kTwoLayers},
    {"no-mask", "Your softmax goes over all keys. Those behind the query have weight 0.", kTwoLayers},
    {"hidden-after-the-softmax",
     "You set the later keys to 0 after the softmax. They have taken weight by then, so that your rows no "
     "longer add up to 1. Hide them before.",
     kTwoLayers},
    {"score-0-for-later-keys",
     "You give the later keys the score 0, and the softmax makes e⁰ = 1 of it. Hide them with a very low "
     "score.",
     kTwoLayers},
    {"itself-hidden", "You hide the query's own place. A query sees the keys 0 … q, itself included.",
     kTwoLayers},
    {"itself-hidden-by-a-number",
     "You hide the query's own place too, with >= for >. A query sees the keys 0 … q, itself included. Query 0 "
     "then sees nothing, and its weights are those of equal scores.",
     kTwoLayers},
    {"itself-hidden-by-a-sum",
     "You hide the query's own place too, with >= for >. A query sees the keys 0 … q, itself included. All "
     "keys of query 0 are lowered by the same number then, which the softmax does not see.",
     kTwoLayers},
    {"one-key-too-many", "Your query sees the key after its own place too. It sees the keys 0 … q.",
     kTwoLayers},
    {"mask-with-a-plus",
     "You add a large number to the scores of the later keys, so that they get all the weight. Subtract it.",
     kTwoLayers},
    {"softmax-twice", "You take the softmax of the pattern, which is a softmax already.", kTwoLayers},
    {"softmax-over-queries",
     "Your softmax goes down the columns. The weights of a query add up to 1: axis -1.", kTwoLayers},
    {"sharpness-ignored",
     "You do not multiply the scores by `sharpness`. With scores from 0 to 1 a match gets only e times the "
     "weight of another key.",
     kTwoLayers},
    {"sharpness-after-the-softmax",
     "You multiply the weights by `sharpness`, after the softmax. Multiply the scores: the weights of a "
     "query add up to 1.",
     kTwoLayers},
    {"no-softmax", "You return the scores. The pattern is their softmax.", kTwoLayers},
    {"earlier-hidden",
     "You hide the keys before the query and keep those behind it. A query sees the keys 0 … q.", kTwoLayers},
    {"sharpness-divides", "You divide by `sharpness`, which makes the pattern flatter. Multiply by it.",
     kTwoLayers}};

}  // namespace mistakes
