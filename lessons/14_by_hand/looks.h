// What the grader sees of the heads of exercise 14: where they look, not which matrices do it.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "circuit.h"
#include "grader/part.h"

namespace headlight {

using Tokens = std::vector<std::int32_t>;

inline constexpr double kNearlyAll = 0.99;

inline grader::Shown finite(const char* what, const Array& numbers) {
  bool all = true;
  for (const Real number : numbers) all = all && std::isfinite(number);
  return grader::shown(fmt::format("whether all {} are finite", what), all);
}

// The place of the largest of the first `count` numbers of a row, -1 if no number is larger than all others.
inline int largest_in(const Array& x, std::size_t row, std::size_t first, std::size_t count) {
  for (std::size_t j = 0; j < count; ++j) {
    bool larger = true;
    for (std::size_t k = 0; k < count; ++k)
      larger = larger && (k == j || x(row, first + j) > x(row, first + k) + 1e-6);
    if (larger) return static_cast<int>(j);
  }
  return -1;
}

// The first visible key whose score is no less than any other's.
inline int first_largest(const Array& scores, std::size_t query) {
  std::size_t best = 0;
  for (std::size_t j = 1; j <= query; ++j)
    if (scores(query, j) > scores(query, best) + 1e-6) best = j;
  return static_cast<int>(best);
}

// The stream in front of a head: one-hot tokens and positions and, `noted`, the tokens before.
inline Array stream_of(const Stream& s, const Tokens& tokens, bool noted) {
  Array x = full_array({tokens.size(), s.width()}, 0);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    x(i, s.token.first + static_cast<std::size_t>(tokens[i])) = 1;
    x(i, s.position.first + i) = 1;
    if (noted) x(i, s.before.first + static_cast<std::size_t>(tokens[i == 0 ? 0 : i - 1])) = 1;
  }
  return x;
}

// The keys that the queries from `distance` on look at. Where these are not the keys that far back: the keys
// with the largest scores, hidden ones too, which tells one mistake from another.
inline grader::Result back_of(const Head& head, const Array& x, std::size_t distance) {
  const Array p = pattern(head, x), all = scores(head, x);
  std::vector<int> looked, scored;
  std::vector<int> sharp;
  bool right = true;
  for (std::size_t i = distance; i < x.shape()[0]; ++i) {
    looked.push_back(largest_in(p, i, 0, i + 1));
    scored.push_back(largest_in(all, i, 0, x.shape()[0]));
    sharp.push_back(p(i, i - distance) > kNearlyAll);
    right = right && looked.back() == static_cast<int>(i - distance);
  }
  return {finite("scores", all),
          grader::shown(
              fmt::format("the keys that the queries {} … look at (-1: at none more than at all others)",
                          distance),
              looked),
          grader::shown("the keys with the largest scores, later ones too", right ? looked : scored),
          grader::shown("whether their weights are above 0.99", sharp)};
}

// Where the queries with an earlier copy look: for each kind of keys, 1 for a query that gives them more than
// 0.99.
inline grader::Result kinds_of(const Head& head, const Tokens& tokens, const Array& x) {
  const Array p = pattern(head, x), all = scores(head, x);
  std::vector<int> nearest, best, followers, equal, like_before, after_like, at_0;
  for (std::size_t i = 1; i < tokens.size(); ++i) {
    double on_followers = 0, on_equal = 0, on_before = 0, on_after = 0, largest_other = 0, least_follower = 1;
    bool repeated = false;
    for (std::size_t j = 0; j <= i; ++j) {
      const bool follows = j > 0 && tokens[j - 1] == tokens[i];
      repeated = repeated || follows;
      if (follows) on_followers += p(i, j), least_follower = std::min<double>(least_follower, p(i, j));
      if (!follows) largest_other = std::max<double>(largest_other, p(i, j));
      if (tokens[j] == tokens[i]) on_equal += p(i, j);
      if (tokens[j] == tokens[i - 1]) on_before += p(i, j);
      if (j > 0 && tokens[j - 1] == tokens[i - 1]) on_after += p(i, j);
    }
    if (!repeated) continue;
    nearest.push_back(least_follower > largest_other + 1e-6);
    best.push_back(nearest.back() != 0 ? -1 : first_largest(all, i));
    followers.push_back(on_followers > kNearlyAll), equal.push_back(on_equal > kNearlyAll);
    like_before.push_back(on_before > kNearlyAll), after_like.push_back(on_after > kNearlyAll);
    at_0.push_back(p(i, 0) > kNearlyAll);
  }
  using grader::shown;
  return {finite("scores", all),
          shown("queries whose largest weights are on the followers", nearest),
          shown("the first key with the largest score (-1: where these are the followers)", best),
          shown("queries with more than 0.99 on the followers", followers),
          shown("queries with more than 0.99 on tokens equal to their own", equal),
          shown("queries with more than 0.99 on tokens equal to the one before them", like_before),
          shown("queries with more than 0.99 on keys that have the same token before them", after_like),
          shown("queries with more than 0.99 on position 0", at_0)};
}

// What a model with these weights notes and says.
inline grader::Result sayings_of(const Weights& w, const Tokens& tokens) {
  const Stream& s = w.stream;
  const Array y = behind(w.layer_1, behind(w.layer_0, embedded(w, tokens)));
  const Array logits = product(y, w.W_U);
  std::vector<int> before, output, said, sure;
  for (std::size_t i = 1; i < tokens.size(); ++i) {
    bool repeated = false;
    for (std::size_t j = 0; j < i; ++j) repeated = repeated || tokens[j] == tokens[i];
    if (!repeated) continue;
    before.push_back(largest_in(y, i, s.before.first, s.before.size));
    output.push_back(largest_in(y, i, s.output.first, s.output.size));
    said.push_back(largest_in(logits, i, 0, s.token.size));
    double others = 0;
    if (said.back() >= 0)
      for (std::size_t v = 0; v < s.token.size; ++v)
        others += math::exp(logits(i, v) - logits(i, static_cast<std::size_t>(said.back())));
    sure.push_back(said.back() >= 0 && 1 / others > kNearlyAll);
  }
  using grader::shown;
  return {finite("logits", logits),
          shown("the tokens in `before` where a token comes again (-1: none)", before),
          shown("the tokens in `output` there", output), shown("the tokens that the model says there", said),
          shown("whether their probabilities are above 0.99", sure)};
}

}  // namespace headlight
