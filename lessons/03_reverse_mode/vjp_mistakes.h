// What learners write instead of div_vjp and variance_vjp: the bank of the checker.
#pragma once

#include <algorithm>

#include "grader/part.h"
#include "headlight/ops/ops.h"

namespace mistakes {

// The headings of the text to read again.
inline const std::string kCotangent = "The cotangent of a tensor", kMatmul = "Matmul",
                         kBroadcast = "Broadcasting and sums", kSoftmax = "Softmax",
                         kCheck = "The gradient check";

using Two = std::pair<Tensor, Tensor>;
using DivVjp = Two (*)(const Tensor&, const Tensor&, const Tensor&);
using VarianceVjp = Tensor (*)(const Tensor&, const Tensor&, int);
using OneInput = Tensor (*)(const Tensor&, const Tensor&);

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

// What comes to the copies of x and of y, in the shape of z.
inline Tensor to_x(const Tensor& g, const Tensor& y) { return g / y; }
inline Tensor to_y(const Tensor& g, const Tensor& x, const Tensor& y) { return -g * x / (y * y); }

inline Two div_not_summed_back(const Tensor& g, const Tensor& x, const Tensor& y) {
  return {to_x(g, y), to_y(g, x, y)};
}
inline Two div_only_y_summed(const Tensor& g, const Tensor& x, const Tensor& y) {
  return {to_x(g, y), sum_to(to_y(g, x, y), y.shape())};
}
inline Two div_exchanged(const Tensor& g, const Tensor& x, const Tensor& y) {
  return {sum_to(to_y(g, x, y), y.shape()), sum_to(to_x(g, y), x.shape())};
}
inline Two div_sign_forgotten(const Tensor& g, const Tensor& x, const Tensor& y) {
  return {sum_to(to_x(g, y), x.shape()), sum_to(-to_y(g, x, y), y.shape())};
}
inline Two div_square_forgotten(const Tensor& g, const Tensor& x, const Tensor& y) {
  return {sum_to(to_x(g, y), x.shape()), sum_to(-g * x / y, y.shape())};
}
inline Two div_x_forgotten(const Tensor& g, const Tensor& x, const Tensor& y) {
  return {sum_to(to_x(g, y), x.shape()), sum_to(-g / (y * y), y.shape())};
}
inline Two div_as_product(const Tensor& g, const Tensor& x, const Tensor& y) {
  return {sum_to(g * y, x.shape()), sum_to(g * x, y.shape())};
}
inline Two div_without_g(const Tensor& g, const Tensor& x, const Tensor& y) {
  return solution::div_vjp(ones(g.shape()), x, y);
}
inline Two div_mean_over_copies(const Tensor& g, const Tensor& x, const Tensor& y) {
  const auto [x_bar, y_bar] = solution::div_vjp(g, x, y);
  return {x_bar / copies(x.shape(), g.shape()), y_bar / copies(y.shape(), g.shape())};
}
inline Two div_last_copy(const Tensor& g, const Tensor& x, const Tensor& y) {
  return {last_copy(to_x(g, y), x.shape()), last_copy(to_y(g, x, y), y.shape())};
}
inline Two div_summed_too_early(const Tensor& g, const Tensor& x, const Tensor& y) {
  const Tensor g_to_x = sum_to(g, x.shape()), g_to_y = sum_to(g, y.shape()), one = ones(g.shape());
  return {g_to_x * sum_to(to_x(one, y), x.shape()), g_to_y * sum_to(to_y(one, x, y), y.shape())};
}
inline Two div_sum_before_product(const Tensor& g, const Tensor& x, const Tensor& y) {
  return {to_x(sum_to(g, x.shape()), y), to_y(sum_to(g, y.shape()), x, y)};
}

// g with its axis put back, and x without its mean.
inline Tensor put_back(const Tensor& g, const Tensor& x, int axis) {
  return reshape_to(g, sum(x, {axis}, true).shape());
}
inline Tensor centred(const Tensor& x, int axis) { return x - mean(x, {axis}, true); }
inline double length(const Tensor& x, int axis) { return static_cast<double>(x.length(axis)); }

inline Tensor variance_axis_dropped(const Tensor& g, const Tensor& x, int axis) {
  return 2 * broadcast_to(g, x.shape()) * centred(x, axis) / length(x, axis);
}
// Each number of g several times before the next.
inline Tensor variance_repeated_in_order(const Tensor& g, const Tensor& x, int axis) {
  Array each = x.array();
  for (std::size_t i = 0; i < each.size(); ++i) each.data()[i] = g.array().data()[i * g.size() / each.size()];
  return 2 * Tensor(each) * centred(x, axis) / length(x, axis);
}
inline Tensor variance_not_centred(const Tensor& g, const Tensor& x, int axis) {
  return 2 * put_back(g, x, axis) * x / length(x, axis);
}
inline Tensor variance_mean_of_all(const Tensor& g, const Tensor& x, int axis) {
  return 2 * put_back(g, x, axis) * (x - mean(x)) / length(x, axis);
}
inline Tensor variance_without_two(const Tensor& g, const Tensor& x, int axis) {
  return put_back(g, x, axis) * centred(x, axis) / length(x, axis);
}
inline Tensor variance_without_length(const Tensor& g, const Tensor& x, int axis) {
  return 2 * put_back(g, x, axis) * centred(x, axis);
}
inline Tensor variance_size_for_length(const Tensor& g, const Tensor& x, int axis) {
  return 2 * put_back(g, x, axis) * centred(x, axis) / static_cast<double>(x.size());
}
inline Tensor variance_one_less(const Tensor& g, const Tensor& x, int axis) {
  return 2 * put_back(g, x, axis) * centred(x, axis) / std::max(1.0, length(x, axis) - 1);
}
inline Tensor variance_own_square_alone(const Tensor& g, const Tensor& x, int axis) {
  const double n = length(x, axis);
  return solution::variance_vjp(g, x, axis) * (1 - 1 / n);
}
inline Tensor variance_without_g(const Tensor& g, const Tensor& x, int axis) {
  return solution::variance_vjp(ones(g.shape()), x, axis);
}

inline std::vector<grader::Mistake<DivVjp>> of_slopes_of_div() {
  return {
      {"exchanged", "Your two cotangents are exchanged. That of x comes first.", kBroadcast, div_exchanged},
      {"sign-forgotten",
       "The cotangent of y lacks its minus sign. If y grows, x / y shrinks: the slope is -x / y².",
       kCotangent, div_sign_forgotten},
      {"square-forgotten",
       "In the cotangent of y you divided by y once. The slope of x / y by y is -x / y²: the derivative of "
       "1 / y is -1 / y².",
       kCotangent, div_square_forgotten},
      {"x-forgotten",
       "In the cotangent of y the factor x is missing. The slope of x / y by y is -x / y², as x · 1/y is a "
       "multiple of 1/y.",
       kCotangent, div_x_forgotten},
      {"as-a-product",
       "You return the cotangents of x * y. The slope of x / y by x is 1 / y. Its slope by y comes from the "
       "quotient rule.",
       kCotangent, div_as_product},
      {"g-forgotten",
       "You return the slopes of z and not those of the loss: g is missing. Each slope of z is multiplied "
       "by the number of g that belongs to it.",
       kCotangent, div_without_g}};
}

inline std::vector<grader::Mistake<DivVjp>> of_div() {
  std::vector<grader::Mistake<DivVjp>> all = of_slopes_of_div();
  const std::vector<grader::Mistake<DivVjp>> of_sums = {
      {"not-summed-back",
       "You return the cotangents in the shape of z. An input that was broadcast was used several times, so "
       "what comes to its copies is added up, into the shape of the input.",
       kBroadcast, div_not_summed_back},
      {"only-y-summed-back",
       "You summed back for y and not for x. Either of the two may have been broadcast.", kBroadcast,
       div_only_y_summed},
      {"mean-over-copies",
       "You took the mean over the copies of a number that was broadcast. Each copy moves the loss, so their "
       "contributions are added.",
       kBroadcast, div_mean_over_copies},
      {"last-copy",
       "Of the copies of a number that was broadcast you kept the last one. That is = where += belongs.",
       kBroadcast, div_last_copy},
      {"summed-too-early",
       "You summed g and the slopes separately and multiplied the sums. Multiply first, number by number, "
       "and "
       "sum the products.",
       kBroadcast, div_summed_too_early},
      {"summed-before-the-product",
       "You summed g into the shape of the input and multiplied by the slopes afterwards. Each copy of a "
       "number "
       "has a slope of its own. Multiply first, in the shape of z, and sum the products.",
       kBroadcast, div_sum_before_product}};
  all.insert(all.end(), of_sums.begin(), of_sums.end());
  return all;
}

inline std::vector<grader::Mistake<VarianceVjp>> of_variance() {
  return {
      {"axis-not-put-back",
       "You broadcast g as it is, so its axes are aligned at the last one. Put the axis back first, with "
       "length 1, and broadcast then.",
       kBroadcast, variance_axis_dropped},
      {"repeated-in-order",
       "You wrote each number of g several times and then went on to the next, in the order of the buffer. "
       "That is right for the last axis alone. A number of g belongs to all places that went into its "
       "variance.",
       kBroadcast, variance_repeated_in_order},
      {"mean-not-subtracted",
       "You multiplied by x where x - m belongs. That is the backward pass of the mean of the squares.",
       kCotangent, variance_not_centred},
      {"mean-of-everything",
       "You subtracted the mean of all numbers. Each variance has the mean of its own line.", kBroadcast,
       variance_mean_of_all},
      {"two-forgotten", "The factor 2 is missing. The derivative of a square d² is 2 d.", kCotangent,
       variance_without_two},
      {"length-forgotten",
       "You did not divide by the length of the axis. A variance is a mean, so each square goes into it with "
       "the factor 1 / length.",
       kBroadcast, variance_without_length},
      {"divided-by-the-size",
       "You divided by how many numbers x has. Each variance is a mean along one axis: divide by the length "
       "of "
       "this axis.",
       kBroadcast, variance_size_for_length},
      {"one-less",
       "You divided by the length minus 1, as in statistics. The variance here divides by the length.",
       kBroadcast, variance_one_less},
      {"own-square-alone",
       "You followed x into its own square, and there through the mean too. But the mean stands in all other "
       "squares as well. All paths through the mean together add up to 0, because Σ (x - m) is 0.",
       kSoftmax, variance_own_square_alone},
      {"g-forgotten",
       "You return the slopes of the variances. How fast the loss moves with each variance is g, and the two "
       "are multiplied.",
       kCotangent, variance_without_g}};
}

}  // namespace mistakes
