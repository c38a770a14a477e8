// What learners write instead of gram_vjp and shares_vjp.
#pragma once

#include "vjp_mistakes.h"

namespace mistakes {

inline Tensor gram_left_alone(const Tensor& g, const Tensor& X) { return matmul(g, X); }
inline Tensor gram_right_alone(const Tensor& g, const Tensor& X) { return matmul(transpose(g), X); }
inline Tensor gram_left_twice(const Tensor& g, const Tensor& X) { return 2 * matmul(g, X); }
inline Tensor gram_averaged(const Tensor& g, const Tensor& X) { return solution::gram_vjp(g, X) / 2; }
inline Tensor gram_W_not_transposed(const Tensor& g, const Tensor& X) {
  return matmul(g, transpose(X)) + matmul(transpose(g), X);
}
inline Tensor gram_W_bar_not_transposed(const Tensor& g, const Tensor& X) {
  return matmul(g, X) + matmul(transpose(X), g);
}
inline Tensor gram_transposed(const Tensor& g, const Tensor& X) {
  return transpose(solution::gram_vjp(g, X));
}
inline Tensor gram_without_g(const Tensor& g, const Tensor& X) {
  return solution::gram_vjp(ones(g.shape()), X);
}
// The numbers of g[i,i], and 0 elsewhere.
inline Tensor diagonal(const Tensor& g) {
  Array kept = zeros(g.shape()).array();
  for (std::size_t i = 0; i < g.length(0); ++i) kept(i, i) = g.array()(i, i);
  return Tensor(kept);
}
inline Tensor gram_diagonal_once(const Tensor& g, const Tensor& X) {
  return solution::gram_vjp(g, X) - matmul(diagonal(g), X);
}
inline Tensor gram_diagonal_alone(const Tensor& g, const Tensor& X) { return 2 * matmul(diagonal(g), X); }

inline std::vector<grader::Mistake<OneInput>> of_gram() {
  return {
      {"right-factor-forgotten",
       "You return g X. That comes to X as the left factor. X is the right factor too, transposed: add what "
       "comes to it there.",
       kMatmul, gram_left_alone},
      {"left-factor-forgotten",
       "You return gᵀ X. That comes to X as the right factor. X is the left factor too: add what comes to it "
       "there.",
       kMatmul, gram_right_alone},
      {"left-factor-twice",
       "You doubled g X. What comes to the right factor is gᵀ X, and the two agree only if g is symmetric.",
       kMatmul, gram_left_twice},
      {"averaged",
       "You took the mean of what comes to the two factors. Both move the loss: what comes from all paths is "
       "added.",
       kMatmul, gram_averaged},
      {"W-not-transposed",
       "For the left factor you multiplied by Xᵀ. By the formula X̄ = g Wᵀ, and here W is Xᵀ: so Wᵀ is X.",
       kMatmul, gram_W_not_transposed},
      {"W-bar-not-transposed",
       "For the right factor you added Xᵀ g. That is the cotangent of Xᵀ, of shape (k,n). Transpose it to "
       "get "
       "what comes to X.",
       kMatmul, gram_W_bar_not_transposed},
      {"transposed", "You return the transpose of X̄. The cotangent of X has the shape of X.", kMatmul,
       gram_transposed},
      {"g-forgotten",
       "You used ones in the place of g. That is right when the loss is the sum of Y, and for no other loss.",
       kCotangent, gram_without_g},
      {"diagonal-once",
       "You counted the paths through Y[i,i] once. There each number of row i is squared, so its slope is 2 "
       "X.",
       kMatmul, gram_diagonal_once},
      {"diagonal-alone",
       "You followed row i into Y[i,i] alone. It stands in all of row i and of column i of Y.", kMatmul,
       gram_diagonal_alone}};
}

inline Tensor row_sum(const Tensor& x) { return sum(x, {-1}, true); }
inline Tensor shares(const Tensor& x) { return x / row_sum(x); }

inline Tensor shares_own_path_alone(const Tensor& g, const Tensor& x) { return g / row_sum(x); }
inline Tensor shares_diagonal(const Tensor& g, const Tensor& x) { return g * (1 - shares(x)) / row_sum(x); }
inline Tensor shares_not_transposed(const Tensor& g, const Tensor& x) {
  return (g - shares(x) * row_sum(g)) / row_sum(x);
}
inline Tensor shares_as_softmax(const Tensor& g, const Tensor& x) {
  return shares(x) * (g - row_sum(shares(x) * g));
}
inline Tensor shares_plain_mean(const Tensor& g, const Tensor& x) {
  return (g - mean(g, {-1}, true)) / row_sum(x);
}
inline Tensor shares_sum_of_g(const Tensor& g, const Tensor& x) { return (g - row_sum(g)) / row_sum(x); }
inline Tensor shares_x_for_y(const Tensor& g, const Tensor& x) { return (g - row_sum(x * g)) / row_sum(x); }
inline Tensor shares_not_divided(const Tensor& g, const Tensor& x) { return g - row_sum(shares(x) * g); }
inline Tensor shares_other_sign(const Tensor& g, const Tensor& x) { return -solution::shares_vjp(g, x); }
inline Tensor shares_plus(const Tensor& g, const Tensor& x) {
  return (g + row_sum(shares(x) * g)) / row_sum(x);
}
inline Tensor shares_sum_of_all(const Tensor& g, const Tensor& x) {
  return (g - sum(shares(x) * g)) / row_sum(x);
}
inline Tensor shares_column_sum(const Tensor& g, const Tensor& x) {
  return (g - sum(shares(x) * g, {0}, true)) / row_sum(x);
}
inline Tensor shares_axis_dropped(const Tensor& g, const Tensor& x) {
  return (g - sum(shares(x) * g, {-1})) / row_sum(x);
}

inline std::vector<grader::Mistake<OneInput>> of_wrong_sums() {
  return {
      {"plain-mean",
       "You subtracted the plain mean of g. The mean is weighted: each g counts with its share y.", kSoftmax,
       shares_plain_mean},
      {"sum-of-g", "You subtracted the sum of g. It is the sum of y * g that is subtracted.", kSoftmax,
       shares_sum_of_g},
      {"x-for-y",
       "You summed x * g. The slope by the row's sum is -x / s²: after one division by s in common, x / s "
       "remains, which is y.",
       kSoftmax, shares_x_for_y},
      {"sum-over-all-rows",
       "You summed y * g over the whole tensor. Each row has shares of its own and a sum of its own.",
       kSoftmax, shares_sum_of_all},
      {"sum-over-columns",
       "You summed y * g over axis 0. The shares go along the last axis, and so does the sum.", kSoftmax,
       shares_column_sum},
      {"axis-dropped",
       "You summed y * g along the last axis without keeping the axis. The sums then stand along the wrong "
       "axis, or do not fit: sum(y * g, {-1}, true).",
       kSoftmax, shares_axis_dropped}};
}

inline std::vector<grader::Mistake<OneInput>> of_shares() {
  std::vector<grader::Mistake<OneInput>> all = {
      {"path-through-the-sum-forgotten",
       "You return g / s, as if s were fixed. Raising one x raises s and lowers all other y of its row.",
       kSoftmax, shares_own_path_alone},
      {"diagonal-only",
       "You used (1 - y) / s, the slope of each y by its own x. Every y of a row also depends on every other "
       "x "
       "of the row.",
       kSoftmax, shares_diagonal},
      {"jacobian-not-transposed",
       "You computed J g and not Jᵀ g. The slope of y[i] by x[j] is -y[i] / s: x[j] collects y[i] * g[i] "
       "over "
       "all i.",
       kCotangent, shares_not_transposed},
      {"as-a-softmax",
       "This is the backward pass of a softmax. There the slope of each power is the power itself, and the "
       "factor y comes from that. Here x stands alone: divide by s instead.",
       kSoftmax, shares_as_softmax},
      {"not-divided", "The division by s is missing. Its slope 1 / s is common to all paths.", kSoftmax,
       shares_not_divided},
      {"other-sign", "All signs are turned round: it is g minus the sum, and not the sum minus g.", kSoftmax,
       shares_other_sign},
      {"plus", "You added the sum of y * g. A larger s makes each y smaller, so it is subtracted.", kSoftmax,
       shares_plus}};
  const auto sums = of_wrong_sums();
  all.insert(all.end(), sums.begin(), sums.end());
  return all;
}

}  // namespace mistakes
