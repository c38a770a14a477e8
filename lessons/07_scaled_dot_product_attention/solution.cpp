// Lesson 7, solved: scaled dot-product attention.
#include <cmath>

#include "exercise.h"

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

std::size_t multiply_adds(std::size_t n, std::size_t m, std::size_t d_k, std::size_t d_v) {
  return n * m * (d_k + d_v);
}
