// What learners write instead of the solution: the bank of the checker.
#pragma once

#include "grader/part.h"
#include "headlight/ops/ops.h"

namespace mistakes {

// The headings of the text to read again.
inline const std::string kCotangent = "The cotangent of a tensor", kMatmul = "Matmul",
                         kBroadcast = "Broadcasting and sums", kSoftmax = "Softmax",
                         kCheck = "The gradient check";

using Two = std::pair<Tensor, Tensor>;
using TwoInputs = Two (*)(const Tensor&, const Tensor&, const Tensor&);
using SumVjp = Tensor (*)(const Tensor&, const Shape&, std::size_t);
using SoftmaxVjp = Tensor (*)(const Tensor&, const Tensor&);

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
inline Two mul_only_y_summed(const Tensor& g, const Tensor& x, const Tensor& y) {
  return {g * y, sum_to(g * x, y.shape())};
}
inline Two mul_exchanged(const Tensor& g, const Tensor& x, const Tensor& y) {
  return {sum_to(g * x, y.shape()), sum_to(g * y, x.shape())};
}
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
inline Two mul_sum_before_product(const Tensor& g, const Tensor& x, const Tensor& y) {
  return {sum_to(g, x.shape()) * y, sum_to(g, y.shape()) * x};
}
inline Two mul_inputs_as_they_are(const Tensor&, const Tensor& x, const Tensor& y) { return {y, x}; }

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
inline Two matmul_W_no_transpose(const Tensor& g, const Tensor& X, const Tensor& W) {
  return {matmul(g, transpose(W)), matmul(X, g)};
}
inline Two matmul_W_other_order(const Tensor& g, const Tensor& X, const Tensor& W) {
  return {matmul(g, transpose(W)), matmul(g, transpose(X))};
}
inline Two matmul_exchanged(const Tensor& g, const Tensor& X, const Tensor& W) {
  return {matmul(transpose(X), g), matmul(g, transpose(W))};
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

inline Two matmul_W_transposed(const Tensor& g, const Tensor& X, const Tensor& W) {
  return {matmul(g, transpose(W)), matmul(transpose(g), X)};
}
inline Two matmul_X_transposed(const Tensor& g, const Tensor& X, const Tensor& W) {
  return {matmul(W, transpose(g)), matmul(transpose(X), g)};
}
inline Two matmul_both_transposed(const Tensor& g, const Tensor& X, const Tensor& W) {
  return {matmul(W, transpose(g)), matmul(transpose(g), X)};
}

inline Tensor softmax_no_row_sum(const Tensor& g, const Tensor& y) { return y * g; }
inline Tensor softmax_diagonal(const Tensor& g, const Tensor& y) { return g * y * (1 - y); }
inline Tensor softmax_plain_mean(const Tensor& g, const Tensor& y) { return y * (g - mean(g, {-1}, true)); }
inline Tensor softmax_sum_of_g(const Tensor& g, const Tensor& y) { return y * (g - sum(g, {-1}, true)); }
inline Tensor softmax_sum_of_all(const Tensor& g, const Tensor& y) { return y * (g - sum(y * g)); }
inline Tensor softmax_column_sum(const Tensor& g, const Tensor& y) { return y * (g - sum(y * g, {0}, true)); }
inline Tensor softmax_axis_dropped(const Tensor& g, const Tensor& y) { return y * (g - sum(y * g, {-1})); }
inline Tensor softmax_other_sign(const Tensor& g, const Tensor& y) {
  return y * (sum(y * g, {-1}, true) - g);
}
inline Tensor softmax_no_factor(const Tensor& g, const Tensor& y) { return g - sum(y * g, {-1}, true); }
inline Tensor softmax_of_cross_entropy(const Tensor& g, const Tensor& y) { return y - g; }

inline std::vector<grader::Mistake<TwoInputs>> of_mul() {
  return {
      {"not-summed-back",
       "You return the cotangents in the shape of z. An input that was broadcast was used several times, so "
       "what comes to its copies is added up, into the shape of the input.",
       kBroadcast, mul_not_summed_back},
      {"only-y-summed-back",
       "You summed back for y and not for x. Either of the two may have been broadcast.", kBroadcast,
       mul_only_y_summed},
      {"exchanged", "Your two cotangents are exchanged. That of x comes first.", kBroadcast, mul_exchanged},
      {"own-factor",
       "You multiplied g by the input itself. How fast x * y moves with x is y, the other factor.",
       kBroadcast, mul_own_factor},
      {"g-forgotten",
       "You return the slopes of z and not those of the loss: g is missing. Each slope of z is multiplied by "
       "the number of g that belongs to it.",
       kCotangent, mul_without_g},
      {"mean-over-copies",
       "You took the mean over the copies of a number that was broadcast. Each copy moves the loss, so their "
       "contributions are added.",
       kBroadcast, mul_mean_over_copies},
      {"last-copy",
       "Of the copies of a number that was broadcast you kept the last one. That is = where += belongs.",
       kBroadcast, mul_last_copy},
      {"summed-too-early",
       "You summed g and the other factor separately and multiplied the sums. Multiply first, number by "
       "number, and sum the products.",
       kBroadcast, mul_summed_too_early},
      {"summed-before-the-product",
       "You summed g into the shape of the input and multiplied afterwards. Each copy of a number meets its "
       "own number of the other factor. Multiply first, in the shape of z, and sum the products.",
       kBroadcast, mul_sum_before_product},
      {"the-other-input-alone",
       "You return the other input as it is. Those are the slopes of z: multiply them by g, and sum what "
       "comes to the copies of a number.",
       kBroadcast, mul_inputs_as_they_are}};
}

inline std::vector<grader::Mistake<SumVjp>> of_sum() {
  return {
      {"axis-not-put-back",
       "You broadcast g as it is, so its axes are aligned at the last one. Put the axis that was summed back "
       "first, with length 1, and broadcast then.",
       kBroadcast, sum_without_axis},
      {"filled-in-order",
       "You filled x̄ with the numbers of g again and again, in the order of the buffer. That is right for "
       "axis 0 alone. A number of g belongs to all places that were added up into it.",
       kBroadcast, sum_filled_in_order},
      {"repeated-in-order",
       "You wrote each number of g several times and then went on to the next, in the order of the buffer. "
       "That is right for the last axis alone. A number of g belongs to all places that were added up into "
       "it.",
       kBroadcast, sum_repeated_in_order},
      {"ones",
       "You return ones. That is how fast each sum moves. How fast the loss moves with the sum is g, and the "
       "two are multiplied.",
       kCotangent, sum_without_g},
      {"mean",
       "You divided by the length of the axis. That is the backward pass of a mean. Each number goes into "
       "the sum "
       "with the factor 1.",
       kBroadcast, sum_as_mean},
      {"times-length",
       "You multiplied by the length of the axis. Each number goes into one sum, once, so it receives that "
       "number of g as it is.",
       kBroadcast, sum_times_length}};
}

inline std::vector<grader::Mistake<TwoInputs>> of_matmul() {
  return {
      {"no-transpose",
       "You multiplied by W and X as they are. The sum for X̄ goes over the columns of W and that for W̄ over "
       "the rows of X, so both must be transposed.",
       kMatmul, matmul_no_transpose},
      {"other-order",
       "The two factors of each product are exchanged. g has the rows of X, so it stands on the left for X̄; "
       "it has the columns of W, so it stands on the right for W̄.",
       kMatmul, matmul_other_order},
      {"W-no-transpose",
       "For W̄ you multiplied by X as it is, but the sum goes over its rows: X must be "
       "transposed.",
       kMatmul, matmul_W_no_transpose},
      {"W-other-order", "In W̄ the two factors are exchanged: Xᵀ stands on the left of g.", kMatmul,
       matmul_W_other_order},
      {"exchanged", "Your two cotangents are exchanged. That of X comes first.", kMatmul, matmul_exchanged},
      {"reshape-for-transpose",
       "You reshaped where a transpose is needed. The shape is the same, but the numbers stand in other "
       "places.",
       kMatmul, matmul_reshape_for_transpose},
      {"result-reshaped",
       "Your products are the transposes of X̄ and W̄, and you reshaped them until they fitted. A reshape is "
       "no transpose: exchange the factors instead.",
       kMatmul, matmul_result_reshaped},
      {"g-forgotten",
       "You used ones in the place of g. That is right when the loss is the sum of Y, and for no other "
       "loss.",
       kCotangent, matmul_without_g},
      {"mean-over-rows",
       "You divided W̄ by the number of rows of X. W is used in every row, and what comes back from the rows "
       "is added. If the loss is a mean, g has that factor already.",
       kMatmul, matmul_mean_over_rows},
      {"last-row",
       "In W̄ only the last row of X and g is counted. That is = where += belongs: W is used in every row.",
       kMatmul, matmul_last_row},
      {"W-transposed",
       "Your W̄ is the transpose of the right one: you wrote gᵀ X. W̄ has the shape of W, so Xᵀ stands on the "
       "left: Xᵀ g.",
       kMatmul, matmul_W_transposed},
      {"X-transposed",
       "Your X̄ is the transpose of the right one: you wrote W gᵀ. X̄ has the shape of X, so g stands on the "
       "left: g Wᵀ.",
       kMatmul, matmul_X_transposed},
      {"both-transposed",
       "Both cotangents are the transposes of the right ones: you wrote W gᵀ and gᵀ X. Each has the shape of "
       "its input: g Wᵀ and Xᵀ g.",
       kMatmul, matmul_both_transposed}};
}

inline std::vector<grader::Mistake<SoftmaxVjp>> of_softmax() {
  return {
      {"no-row-sum",
       "The row's sum of y * g is missing. Raising one x lowers all other y of its row, because they share "
       "the sum.",
       kSoftmax, softmax_no_row_sum},
      {"diagonal-only",
       "You used y (1 - y), the slope of each y by its own x. Every y of a row also depends on every other x "
       "of the row.",
       kSoftmax, softmax_diagonal},
      {"plain-mean", "You subtracted the plain mean of g. The mean is weighted: each g counts with its y.",
       kSoftmax, softmax_plain_mean},
      {"sum-of-g", "You subtracted the sum of g. It is the sum of y * g that is subtracted.", kSoftmax,
       softmax_sum_of_g},
      {"sum-over-all-rows",
       "You summed y * g over the whole tensor. Each row is a softmax of its own and has a sum of its own.",
       kSoftmax, softmax_sum_of_all},
      {"sum-over-columns",
       "You summed y * g over axis 0. The softmax goes along the last axis, and so does the sum.", kSoftmax,
       softmax_column_sum},
      {"axis-dropped",
       "You summed y * g along the last axis without keeping the axis. The sums then stand along the wrong "
       "axis, or do not fit: sum(y * g, {-1}, true).",
       kSoftmax, softmax_axis_dropped},
      {"other-sign", "All signs are turned round: it is g minus the sum, and not the sum minus g.", kSoftmax,
       softmax_other_sign},
      {"factor-y-missing",
       "The factor y in front is missing. A number with a small y hardly moves, so little comes back to it.",
       kSoftmax, softmax_no_factor},
      {"cross-entropy",
       "You subtracted g from y. That is the backward pass of softmax and cross-entropy in one; here g may "
       "be anything.",
       kSoftmax, softmax_of_cross_entropy}};
}

}  // namespace mistakes
