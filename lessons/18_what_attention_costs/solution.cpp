// Exercise 18, solved.
#include <algorithm>
#include <cmath>

#include "blocks.h"
#include "exercise.h"

// n(4d² + 2dw) and n(n + 1)/2 · 2d, which are equal for n + 1 = 4d + 2w.
BlockCost block_cost(std::size_t n, std::size_t d, std::size_t h, std::size_t w) {
  return {n * (4 * d * d + 2 * d * w), n * (n + 1) * d, h * n * n, 4 * d + 2 * w - 1};
}

Running add_block(const Running& before, const std::vector<double>& scores, const Array& values) {
  Running after = before;
  for (const double s : scores) after.m = std::max(after.m, s);
  if (after.m == -INFINITY) return before;
  const double shrink = std::exp(before.m - after.m);
  after.l *= shrink;
  for (double& number : after.o) number *= shrink;
  for (std::size_t j = 0; j < scores.size(); ++j) {
    const double power = std::exp(scores[j] - after.m);
    after.l += power;
    for (std::size_t c = 0; c < after.o.size(); ++c) after.o[c] += power * values(j, c);
  }
  return after;
}

Running merged(const Running& a, const Running& b) {
  const double m = std::max(a.m, b.m);
  if (m == -INFINITY) return a;
  const double of_a = std::exp(a.m - m), of_b = std::exp(b.m - m);
  Running all{m, of_a * a.l + of_b * b.l, a.o};
  for (std::size_t c = 0; c < all.o.size(); ++c) all.o[c] = of_a * a.o[c] + of_b * b.o[c];
  return all;
}

// The scores of a query at position p for the keys of a tile; key 0 of the tile stands at position `first`.
std::vector<double> scores_of(const Array& S, std::size_t row, std::size_t p, std::size_t first,
                              std::size_t window) {
  std::vector<double> scores;
  for (std::size_t j = 0; j < S.shape()[1]; ++j) {
    const bool sees = first + j <= p && p < first + j + window;
    scores.push_back(sees ? S(row, j) : -INFINITY);
  }
  return scores;
}

InBlocks windowed_attention(const Tensor& Q, const Tensor& K, const Tensor& V, std::size_t window,
                            std::size_t rows, std::size_t columns) {
  const std::size_t n = Q.length(0), m = K.length(0), width = V.length(1), shift = m - n;
  const double scale = 1 / std::sqrt(static_cast<double>(Q.length(1)));
  const auto part = [](const Tensor& x, std::size_t first, std::size_t end) {
    return slice(x, 0, static_cast<int>(first), static_cast<int>(end));
  };
  Array O = zeros({n, width}).array(), log_sums = zeros({n, 1}).array();
  std::size_t tiles = 0;
  for (std::size_t i = 0; i < n; i += rows) {
    const std::size_t end = std::min(i + rows, n);
    std::vector<Running> known(end - i, {-INFINITY, 0, std::vector<double>(width, 0)});
    for (std::size_t j = 0; j < m; j += columns) {
      const std::size_t last = std::min(j + columns, m);
      if (j >= end + shift || last + window <= i + shift + 1) continue;  // too late, or too early for all
      ++tiles;
      const Array S = (matmul(part(Q, i, end), transpose(part(K, j, last))) * scale).array();
      for (std::size_t row = 0; row < known.size(); ++row)
        known[row] =
            add_block(known[row], scores_of(S, row, i + row + shift, j, window), part(V, j, last).array());
    }
    for (std::size_t row = 0; row < known.size(); ++row) {
      for (std::size_t c = 0; c < width; ++c) O(i + row, c) = known[row].o[c] / known[row].l;
      log_sums(i + row, 0) = known[row].m + std::log(known[row].l);
    }
  }
  return {Tensor(O), Tensor(log_sums), tiles};
}

double maxima_among(std::size_t keys) {
  double count = 0;
  for (const std::vector<double>& row : random_rows(keys)) {
    double m = row[0];
    for (const double score : row)
      if (score > m) m = score, ++count;
  }
  return count / 400;
}

// The prediction: a half of the keys bring a new maximum.
std::vector<Trial> new_maxima() {
  std::vector<Trial> trials;
  for (const std::size_t keys : {2, 16, 256, 4096})
    trials.push_back({static_cast<double>(keys), static_cast<double>(keys) / 2, maxima_among(keys)});
  return trials;
}
