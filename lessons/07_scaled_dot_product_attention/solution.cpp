// Lesson 7, solved: scaled dot-product attention.
#include <cmath>
#include <cstdint>

#include "exercise.h"
#include "headlight/core/rng.h"

Tensor scaled_scores(const Tensor& q, const Tensor& k) {
  return matmul(q, transpose(k)) / std::sqrt(static_cast<double>(q.length(-1)));
}

Tensor causal_mask_of(std::size_t n, std::size_t m) {
  Array mask = full_array({n, m}, 0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i + (m - n); ++j) mask(i, j) = 1;
  return Tensor(mask);
}

Tensor batch_mask_of(const IntArray& lengths, std::size_t n, std::size_t m) {
  Array there = full_array({lengths.size(), 1, m}, 0);
  for (std::size_t b = 0; b < lengths.size(); ++b)
    for (std::size_t j = m - static_cast<std::size_t>(lengths(b)); j < m; ++j) there(b, 0, j) = 1;
  return Tensor(there) * causal_mask_of(n, m);
}

Tensor masked_softmax(const Tensor& scores, const Tensor& mask) {
  const Tensor low = where(greater(mask, 0), scores, -1e30);  // finite: -∞ - (-∞) would be NaN
  const Tensor e = mask * exp(low - max(low, {-1}, true));
  const Tensor total = sum(e, {-1}, true);
  return e / where(greater(total, 0), total, 1);
}

Tensor attention(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& mask) {
  return matmul(masked_softmax(scaled_scores(q, k), mask), v);
}

// Query i sees m - n + 1 + i keys. The sum over i = 0 … n - 1 is n times the mean of the first and the last.
std::uint64_t multiply_adds(std::uint64_t n, std::uint64_t m, std::uint64_t d_k, std::uint64_t d_v) {
  return n * (m - n + 1 + m) / 2 * (d_k + d_v);
}

double mean_largest_weight(double m) {
  Rng rng(7);
  const Tensor q = randn({200, 64}, rng), k = randn({static_cast<std::size_t>(m), 64}, rng);
  return mean(max(masked_softmax(scaled_scores(q, k), 1), {-1})).item();
}

std::vector<Trial> with_more_keys() {
  std::vector<Trial> trials = {{4, 0.4, 0}, {16, 0.25, 0}, {256, 0.2, 0}, {4096, 0.2, 0}};
  for (Trial& trial : trials) trial.measured = mean_largest_weight(trial.setting);
  return trials;
}
