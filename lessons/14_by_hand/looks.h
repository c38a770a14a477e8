// What the grader sees of the heads of exercise 14: where they look, not which matrices do it.
#pragma once

#include <algorithm>
#include <array>
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

// The stream in front of a head: one-hot tokens and positions, and the notes of the exercise's part 3.
inline Array stream_of(const Stream& s, const Tokens& tokens) {
  Array x = full_array({tokens.size(), s.width()}, 0);
  const auto add = [&](std::size_t i, const Subspace& to, std::size_t from, double part) {
    x(i, to.first + static_cast<std::size_t>(tokens[from])) += part;
  };
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    add(i, s.token, i, 1);
    x(i, s.position.first + i) = 1;
    add(i, s.before, i == 0 ? 0 : i - 1, 1);
    for (const std::size_t from : {i < 2 ? 0 : i - 2, i < 2 ? i : i - 2}) add(i, s.two_before, from, 0.5);
  }
  return x;
}

// Where the queries of the second half look, of part 1. The scores tell one mistake from another.
inline grader::Result mirror_of(const Head& head, const Array& x) {
  const Array p = pattern(head, x), all = scores(head, x);
  const std::size_t T = x.shape()[0];
  std::vector<int> looked, best, sharp, first_half;
  for (std::size_t i = T / 2; i + 1 < T; ++i) {
    looked.push_back(largest_in(p, i, 0, i + 1));
    best.push_back(looked.back() == static_cast<int>(T - 2 - i) ? -1 : first_largest(all, i));
    sharp.push_back(looked.back() >= 0 && p(i, static_cast<std::size_t>(looked.back())) > kNearlyAll);
  }
  const bool nowhere = std::ranges::all_of(looked, [](int key) { return key < 0; });
  for (std::size_t i = 0; i < T / 2; ++i) first_half.push_back(nowhere ? largest_in(all, i, 0, T) : -1);
  using grader::shown;
  return {
      finite("scores", all),
      shown(fmt::format("the keys that the queries {} to {} look at (-1: at none more than at all others)",
                        T / 2, T - 2),
            looked),
      shown("the first key with the largest score (-1: where it is the right one)", best),
      shown("whether the weights of these keys are above 0.99", sharp),
      shown("where the second half looks nowhere: the keys that the first half prefers", first_half)};
}

// Whether key j comes right after an earlier copy of the two tokens that end at query i.
inline bool follows_pair(const Tokens& tokens, std::size_t i, std::size_t j) {
  return i > 0 && j > 1 && tokens[j - 1] == tokens[i] && tokens[j - 2] == tokens[i - 1];
}
inline bool has_pair(const Tokens& tokens, std::size_t i) {
  for (std::size_t j = 2; j <= i; ++j)
    if (follows_pair(tokens, i, j)) return true;
  return false;
}

// Where a query looks: at the first of the right keys, with the weight of them all, where this is above 0.99;
// else at the key with the largest weight. Weights in hundredths: what several constructions have in common.
inline std::array<double, 3> look_of(std::size_t query, const Array& pattern, const Tokens& tokens) {
  double right = 0;
  std::size_t first = 0, largest = 0;
  for (std::size_t j = query + 1; j > 0; --j) {
    const Real weight = pattern(query, j - 1);
    if (follows_pair(tokens, query, j - 1)) right += weight, first = j - 1;
    if (weight >= pattern(query, largest) - 1e-6) largest = j - 1;
  }
  const auto number = [](std::size_t i) { return static_cast<double>(i); };
  if (right > kNearlyAll) return {number(query), number(first), 1};
  return {number(query), number(largest), std::round(100 * pattern(query, largest)) / 100};
}

// Where the queries of part 3 look that have a right key.
inline grader::Result looks_of(const Head& head, const Tokens& tokens, const Array& x) {
  const Array p = pattern(head, x), all = scores(head, x);
  std::vector<double> rows;
  for (std::size_t i = 1; i < tokens.size(); ++i)
    if (has_pair(tokens, i))
      for (const double number : look_of(i, p, tokens)) rows.push_back(number);
  return {finite("scores", all),
          {"a row for each query that has a right key: the query, the key it looks at, its weight",
           {rows.size() / 3, 3},
           rows}};
}

// Whether a head of layer 0 copies what that layer itself writes: in front of it nothing stands there.
inline bool reads_its_own_layer(const Weights& w) {
  for (const Head& head : w.layer_0)
    for (const Subspace& empty : {w.stream.before, w.stream.two_before})
      for (std::size_t i = 0; i < empty.size; ++i)
        for (std::size_t c = 0; c < head.d_head(); ++c)
          if (head.W_V(empty.first + i, c) != 0) return true;
  return false;
}

// What a model of part 4 notes and says where two tokens come again.
inline grader::Result sayings_of(const Weights& w, const Tokens& tokens) {
  const Stream& s = w.stream;
  const Array y = behind(w.layer_1, behind(w.layer_0, embedded(w, tokens)));
  const Array logits = product(y, w.W_U);
  std::vector<int> before, two_before, output, said, sure;
  for (std::size_t i = 1; i < tokens.size(); ++i) {
    if (!has_pair(tokens, i)) continue;
    before.push_back(largest_in(y, i, s.before.first, s.before.size));
    two_before.push_back(largest_in(y, i, s.two_before.first, s.two_before.size));
    output.push_back(largest_in(y, i, s.output.first, s.output.size));
    said.push_back(largest_in(logits, i, 0, s.token.size));
    double others = 0;
    if (said.back() >= 0)
      for (std::size_t v = 0; v < s.token.size; ++v)
        others += math::exp(logits(i, v) - logits(i, static_cast<std::size_t>(said.back())));
    sure.push_back(said.back() >= 0 && 1 / others > kNearlyAll);
  }
  using grader::shown;
  return {
      finite("logits", logits),
      shown("the tokens in `before` where two tokens come again (-1: none)", before),
      shown("the tokens in `two_before` there", two_before),
      shown("the tokens in `output` there", output),
      shown("the tokens that the model says there", said),
      shown("whether their probabilities are above 0.99", sure),
      shown("where nothing is noted: whether a head of layer 0 copies what layer 0 writes",
            std::ranges::any_of(two_before, [](int token) { return token < 0; }) && reads_its_own_layer(w))};
}

}  // namespace headlight
