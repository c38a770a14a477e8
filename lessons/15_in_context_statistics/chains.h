// Markov chains of a few states: random ones, walks through them, and what is known of them.
#pragma once

#include <fmt/core.h>

#include <cstdint>
#include <string>
#include <vector>

#include "headlight/core/math.h"
#include "headlight/core/rng.h"

namespace headlight::lesson {

using Row = std::vector<double>;
using Matrix = std::vector<Row>;  // row i: the probabilities of the states that follow state i
using Walk = std::vector<std::int32_t>;

// All rows of k positive numbers with the sum 1 are equally likely: k waiting times, divided by their sum.
inline Row random_row(std::size_t k, Rng& rng) {
  Row row(k);
  double total = 0;
  for (double& p : row) total += p = -math::log(1 - rng.uniform());
  for (double& p : row) p /= total;
  return row;
}

inline Matrix random_matrix(std::size_t k, Rng& rng) {
  Matrix matrix;
  for (std::size_t i = 0; i < k; ++i) matrix.push_back(random_row(k, rng));
  return matrix;
}

// A random matrix all of whose columns have the sum 1 too, so that all states have the same share. Rows and
// columns are divided by their sums in turn.
inline Matrix even_matrix(std::size_t k, Rng& rng) {
  Matrix matrix = random_matrix(k, rng);
  for (int round = 0; round < 200; ++round) {
    for (std::size_t j = 0; j < k; ++j) {
      double total = 0;
      for (const Row& row : matrix) total += row[j];
      for (Row& row : matrix) row[j] /= total;
    }
    for (Row& row : matrix) {
      double total = 0;
      for (double p : row) total += p;
      for (double& p : row) p /= total;
    }
  }
  return matrix;
}

// A state, drawn by these probabilities.
inline std::int32_t draw_state(const Row& row, Rng& rng) {
  double left = rng.uniform();
  std::size_t j = 0;
  while (j + 1 < row.size() && left >= row[j]) left -= row[j++];
  return static_cast<std::int32_t>(j);
}

// So many states. The first is drawn evenly.
inline Walk walk(const Matrix& matrix, std::size_t length, Rng& rng) {
  Walk states{static_cast<std::int32_t>(rng.below(matrix.size()))};
  while (states.size() < length)
    states.push_back(draw_state(matrix[static_cast<std::size_t>(states.back())], rng));
  return states;
}

// The share of each state in a long walk: shares that one more step does not change.
inline Row long_run_shares(const Matrix& matrix) {
  Row shares(matrix.size(), 1.0 / static_cast<double>(matrix.size()));
  for (int step = 0; step < 1000; ++step) {
    Row next(matrix.size(), 0);
    for (std::size_t i = 0; i < matrix.size(); ++i)
      for (std::size_t j = 0; j < matrix.size(); ++j) next[j] += shares[i] * matrix[i][j];
    shares = next;
  }
  return shares;
}

// -Σ p log p
inline double entropy(const Row& row) {
  double total = 0;
  for (double p : row) total -= p > 0 ? p * math::log(p) : 0;
  return total;
}

// "a b a"
inline std::string letters(const Walk& states) {
  std::string text;
  for (std::int32_t state : states) text += fmt::format("{}{}", text.empty() ? "" : " ", "abcdefgh"[state]);
  return text;
}

}  // namespace headlight::lesson
