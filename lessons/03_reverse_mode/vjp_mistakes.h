// What learners write instead of the solution: the bank of the checker.
#pragma once

#include "headlight/ops/ops.h"

namespace mistakes {

using Two = std::pair<Tensor, Tensor>;

// How often broadcasting repeats each number of `small`.
inline double copies(const Shape& small, const Shape& large) {
  return static_cast<double>(size_of(large)) / static_cast<double>(size_of(small));
}

// `product` put back into `shape` with = where += belongs: of the copies of a number only the last is kept.
inline Tensor last_copy(const Tensor& product, const Shape& shape) {
  const Tensor places = broadcast_to(reshape_to(arange(size_of(shape)), shape), product.shape());
  Array kept = zeros(shape).array();
  for (std::size_t i = 0; i < product.size(); ++i)
    kept.data()[static_cast<std::size_t>(places.array().data()[i])] = product.array().data()[i];
  return Tensor(kept);
}

inline Two mul_not_summed_back(const Tensor& g, const Tensor& x, const Tensor& y) { return {g * y, g * x}; }
inline Two mul_own_factor(const Tensor& g, const Tensor& x, const Tensor& y) {
  return {sum_to(g * x, x.shape()), sum_to(g * y, y.shape())};
}
inline Two mul_without_g(const Tensor& g, const Tensor& x, const Tensor& y) {
  return {sum_to(broadcast_to(y, g.shape()), x.shape()), sum_to(broadcast_to(x, g.shape()), y.shape())};
}
inline Two mul_mean_over_copies(const Tensor& g, const Tensor& x, const Tensor& y) {
  return {sum_to(g * y, x.shape()) / copies(x.shape(), g.shape()),
          sum_to(g * x, y.shape()) / copies(y.shape(), g.shape())};
}
inline Two mul_last_copy(const Tensor& g, const Tensor& x, const Tensor& y) {
  return {last_copy(g * y, x.shape()), last_copy(g * x, y.shape())};
}
inline Two mul_summed_too_early(const Tensor& g, const Tensor& x, const Tensor& y) {
  return {sum_to(g, x.shape()) * sum_to(broadcast_to(y, g.shape()), x.shape()),
          sum_to(g, y.shape()) * sum_to(broadcast_to(x, g.shape()), y.shape())};
}

// The numbers of g again and again, until the shape is full.
inline Tensor sum_filled_in_order(const Tensor& g, const Shape& shape, std::size_t) {
  Array x = zeros(shape).array();
  for (std::size_t i = 0; i < x.size(); ++i) x.data()[i] = g.array().data()[i % g.size()];
  return Tensor(x);
}
// Each number of g several times before the next.
inline Tensor sum_repeated_in_order(const Tensor& g, const Shape& shape, std::size_t) {
  Array x = zeros(shape).array();
  for (std::size_t i = 0; i < x.size(); ++i) x.data()[i] = g.array().data()[i * g.size() / x.size()];
  return Tensor(x);
}
inline Tensor sum_without_axis(const Tensor& g, const Shape& shape, std::size_t) {
  return broadcast_to(g, shape);
}
inline Tensor sum_without_g(const Tensor&, const Shape& shape, std::size_t) { return ones(shape); }
inline Tensor sum_as_mean(const Tensor& g, const Shape& shape, std::size_t axis) {
  return solution::sum_vjp(g, shape, axis) / static_cast<double>(shape[axis]);
}
inline Tensor sum_times_length(const Tensor& g, const Shape& shape, std::size_t axis) {
  return solution::sum_vjp(g, shape, axis) * static_cast<double>(shape[axis]);
}

inline Two matmul_no_transpose(const Tensor& g, const Tensor& X, const Tensor& W) {
  return {matmul(g, W), matmul(X, g)};
}
inline Two matmul_other_order(const Tensor& g, const Tensor& X, const Tensor& W) {
  return {matmul(transpose(W), g), matmul(g, transpose(X))};
}
inline Two matmul_reshape_for_transpose(const Tensor& g, const Tensor& X, const Tensor& W) {
  return {matmul(g, reshape_to(W, {W.length(1), W.length(0)})),
          matmul(reshape_to(X, {X.length(1), X.length(0)}), g)};
}
inline Two matmul_result_reshaped(const Tensor& g, const Tensor& X, const Tensor& W) {
  return {reshape_to(matmul(W, transpose(g)), X.shape()), reshape_to(matmul(transpose(g), X), W.shape())};
}
inline Two matmul_without_g(const Tensor& g, const Tensor& X, const Tensor& W) {
  return solution::matmul_vjp(ones(g.shape()), X, W);
}
inline Two matmul_mean_over_rows(const Tensor& g, const Tensor& X, const Tensor& W) {
  const auto [dX, dW] = solution::matmul_vjp(g, X, W);
  return {dX, dW / static_cast<double>(X.length(0))};
}
inline Two matmul_last_row(const Tensor& g, const Tensor& X, const Tensor& W) {
  const auto [dX, dW] = solution::matmul_vjp(g, X, W);
  return {dX, matmul(transpose(slice(X, 0, -1)), slice(g, 0, -1))};
}

inline Tensor softmax_no_row_sum(const Tensor& g, const Tensor& y) { return y * g; }
inline Tensor softmax_diagonal(const Tensor& g, const Tensor& y) { return g * y * (1 - y); }
inline Tensor softmax_plain_mean(const Tensor& g, const Tensor& y) { return y * (g - mean(g, {-1}, true)); }
inline Tensor softmax_sum_of_g(const Tensor& g, const Tensor& y) { return y * (g - sum(g, {-1}, true)); }
inline Tensor softmax_sum_of_all(const Tensor& g, const Tensor& y) { return y * (g - sum(y * g)); }
inline Tensor softmax_column_sum(const Tensor& g, const Tensor& y) { return y * (g - sum(y * g, {0}, true)); }
inline Tensor softmax_other_sign(const Tensor& g, const Tensor& y) {
  return y * (sum(y * g, {-1}, true) - g);
}
inline Tensor softmax_no_factor(const Tensor& g, const Tensor& y) { return g - sum(y * g, {-1}, true); }
inline Tensor softmax_of_cross_entropy(const Tensor& g, const Tensor& y) { return y - g; }

}  // namespace mistakes
