// Parts 1 to 4 of the exercise: their calls and the mistakes that are known.
#pragma once

#include <array>

#include "grader/part.h"
#include "vjp_mistakes.h"

namespace parts {

using grader::Case;
using grader::Result;
using grader::shown;

// The headings of the text to read again.
inline const std::string kCotangent = "1. The cotangent of a tensor", kMatmul = "2. Matmul",
                         kBroadcast = "3. Broadcasting and sums", kSoftmax = "4. Softmax",
                         kCheck = "5. The gradient check";

// A call of a vjp with two inputs, whose results are shown by name.
using Vjp2 = std::pair<Tensor, Tensor> (*)(const Tensor&, const Tensor&, const Tensor&);
inline Case<Vjp2> two_inputs(const std::string& call, const Tensor& g,
                             const std::pair<std::string, Tensor>& x,
                             const std::pair<std::string, Tensor>& y) {
  return {call, {shown("g", g), shown(x.first, x.second), shown(y.first, y.second)}, [=](Vjp2 vjp) {
            const auto [dx, dy] = vjp(g, x.second, y.second);
            return Result{shown("cotangent of " + x.first, dx), shown("cotangent of " + y.first, dy)};
          }};
}

inline grader::Part mul_part() {
  std::vector<Case<Vjp2>> cases = {two_inputs("mul_vjp(g, x, y)", tensor({{1, 1}, {1, 2}}),
                                              {"x", tensor({{1, 2}, {3, 4}})}, {"y", tensor({10, 20})})};
  Rng rng(31);
  const std::vector<std::pair<Shape, Shape>> shapes = {{{2, 3}, {2, 3}}, {{3, 1}, {1, 4}},    {{3}, {2, 1}},
                                                       {{}, {2, 2}},     {{2, 3, 2}, {3, 1}}, {{1, 1}, {1}}};
  for (const auto& [a, b] : shapes) {
    const Tensor x = randn(a, rng), y = randn(b, rng);
    cases.push_back(
        two_inputs("mul_vjp(g, x, y)", randn(broadcast_shapes(a, b, "mul"), rng), {"x", x}, {"y", y}));
  }
  return grader::part(
      "mul_vjp", 1, &mul_vjp, &solution::mul_vjp, cases,
      {{"not-summed-back",
        "You return the cotangents in the shape of z. An input that was broadcast was used several times, so "
        "what comes to its copies is added up, into the shape of the input.",
        kBroadcast, mistakes::mul_not_summed_back},
       {"own-factor",
        "You multiplied g by the input itself. How fast x * y moves with x is y, the other factor.",
        kBroadcast, mistakes::mul_own_factor},
       {"g-forgotten",
        "You return the slopes of z and not those of the loss: g is missing. Each slope of z is multiplied "
        "by "
        "the number of g that belongs to it.",
        kCotangent, mistakes::mul_without_g},
       {"mean-over-copies",
        "You took the mean over the copies of a number that was broadcast. Each copy moves the loss, so "
        "their "
        "contributions are added.",
        kBroadcast, mistakes::mul_mean_over_copies},
       {"last-copy",
        "Of the copies of a number that was broadcast you kept the last one. That is = where += belongs.",
        kBroadcast, mistakes::mul_last_copy},
       {"summed-too-early",
        "You summed g and the other factor separately and multiplied the sums. Multiply first, number by "
        "number, "
        "and sum the products.",
        kBroadcast, mistakes::mul_summed_too_early}});
}

using SumVjp = Tensor (*)(const Tensor&, const Shape&, std::size_t);
inline Case<SumVjp> sum_case(const Tensor& g, const Shape& shape, std::size_t axis) {
  return {"sum_vjp(g, shape, axis)",
          {shown("g", g), shown("shape", shape), shown("axis", static_cast<double>(axis))},
          [=](SumVjp vjp) { return Result{shown("cotangent of x", vjp(g, shape, axis))}; }};
}

inline grader::Part sum_part() {
  std::vector<Case<SumVjp>> cases = {sum_case(tensor({5, 7}), {2, 3}, 1)};
  Rng rng(32);
  const std::vector<std::pair<Shape, std::size_t>> calls = {{{2, 3}, 0},    {{3, 3}, 1}, {{4}, 0},
                                                            {{2, 3, 2}, 1}, {{3, 1}, 1}, {{2, 2, 3}, 0}};
  for (const auto& [shape, axis] : calls)
    cases.push_back(sum_case(randn(reduced_shape(shape, {axis}, false), rng), shape, axis));
  return grader::part(
      "sum_vjp", 1, &sum_vjp, &solution::sum_vjp, cases,
      {{"axis-not-put-back",
        "You broadcast g as it is, so its axes are aligned at the last one. Put the axis that was summed "
        "back "
        "first, with length 1, and broadcast then.",
        kBroadcast, mistakes::sum_without_axis},
       {"filled-in-order",
        "You filled x̄ with the numbers of g again and again, in the order of the buffer. That is right for "
        "axis "
        "0 alone. A number of g belongs to all places that were added up into it.",
        kBroadcast, mistakes::sum_filled_in_order},
       {"repeated-in-order",
        "You wrote each number of g several times and then went on to the next, in the order of the buffer. "
        "That is right for the last axis alone. A number of g belongs to all places that were added up into "
        "it.",
        kBroadcast, mistakes::sum_repeated_in_order},
       {"ones",
        "You return ones. That is how fast each sum moves. How fast the loss moves with the sum is g, and "
        "the "
        "two are multiplied.",
        kCotangent, mistakes::sum_without_g},
       {"mean",
        "You divided by the length of the axis. That is the way back of a mean. Each number goes into the "
        "sum "
        "with the factor 1.",
        kBroadcast, mistakes::sum_as_mean},
       {"times-length",
        "You multiplied by the length of the axis. Each number goes into one sum, once, so it receives that "
        "number of g as it is.",
        kBroadcast, mistakes::sum_times_length}});
}

inline grader::Part matmul_part() {
  std::vector<Case<Vjp2>> cases = {two_inputs("matmul_vjp(g, X, W)", tensor({{1}, {10}}),
                                              {"X", tensor({{1, 2}, {3, 4}})}, {"W", tensor({{1}, {-1}})})};
  Rng rng(33);
  const std::vector<std::array<std::size_t, 3>> sizes = {
      {3, 3, 3}, {3, 2, 4}, {2, 3, 1}, {1, 3, 2}, {4, 1, 2}};
  for (const auto& [n, k, m] : sizes) {
    const Tensor X = randn({n, k}, rng), W = randn({k, m}, rng);
    cases.push_back(two_inputs("matmul_vjp(g, X, W)", randn({n, m}, rng), {"X", X}, {"W", W}));
  }
  return grader::part(
      "matmul_vjp", 2, &matmul_vjp, &solution::matmul_vjp, cases,
      {{"no-transpose",
        "You multiplied by W and X as they are. The sum for X̄ goes over the columns of W and that for W̄ over "
        "the rows of X, so both must be transposed.",
        kMatmul, mistakes::matmul_no_transpose},
       {"other-order",
        "The two factors of each product are exchanged. g has the rows of X, so it stands on the left for X̄; "
        "it "
        "has the columns of W, so it stands on the right for W̄.",
        kMatmul, mistakes::matmul_other_order},
       {"reshape-for-transpose",
        "You reshaped where a transpose is needed. The shape is the same, but the numbers stand in other "
        "places.",
        kMatmul, mistakes::matmul_reshape_for_transpose},
       {"result-reshaped",
        "Your products are the transposes of X̄ and W̄, and you reshaped them until they fitted. A reshape is "
        "no "
        "transpose: exchange the factors instead.",
        kMatmul, mistakes::matmul_result_reshaped},
       {"g-forgotten",
        "You used ones in the place of g. That is right when the loss is the sum of Y, and for no other "
        "loss.",
        kCotangent, mistakes::matmul_without_g},
       {"mean-over-rows",
        "You divided W̄ by the number of rows of X. W is used in every row, and what comes back from the rows "
        "is "
        "added. If the loss is a mean, g has that factor already.",
        kMatmul, mistakes::matmul_mean_over_rows},
       {"last-row",
        "In W̄ only the last row of X and g is counted. That is = where += belongs: W is used in every row.",
        kMatmul, mistakes::matmul_last_row}});
}

using SoftmaxVjp = Tensor (*)(const Tensor&, const Tensor&);
inline Case<SoftmaxVjp> softmax_case(const Tensor& g, const Tensor& y) {
  return grader::calling<SoftmaxVjp>("softmax_vjp(g, y)", grader::named("g", g), grader::named("y", y));
}

inline grader::Part softmax_part() {
  std::vector<Case<SoftmaxVjp>> cases = {softmax_case(tensor({1, 5}), tensor({0.25, 0.75}))};
  Rng rng(34);
  for (const Shape& shape : std::vector<Shape>{{2, 3}, {3, 2}, {5}, {2, 2, 3}, {3, 1}}) {
    const Tensor g = randn(shape, rng);
    cases.push_back(softmax_case(g, softmax(randn(shape, rng))));
  }
  return grader::part(
      "softmax_vjp", 2, &softmax_vjp, &solution::softmax_vjp, cases,
      {{"no-row-sum",
        "The row's sum of y * g is missing. Raising one x lowers all other y of its row, because they share "
        "the "
        "sum.",
        kSoftmax, mistakes::softmax_no_row_sum},
       {"diagonal-only",
        "You used y (1 - y), the slope of each y by its own x. Every y of a row also depends on every other "
        "x of "
        "the row.",
        kSoftmax, mistakes::softmax_diagonal},
       {"plain-mean", "You subtracted the plain mean of g. The mean is weighted: each g counts with its y.",
        kSoftmax, mistakes::softmax_plain_mean},
       {"sum-of-g", "You subtracted the sum of g. It is the sum of y * g that is subtracted.", kSoftmax,
        mistakes::softmax_sum_of_g},
       {"sum-over-all-rows",
        "You summed y * g over the whole tensor. Each row is a softmax of its own and has a sum of its own.",
        kSoftmax, mistakes::softmax_sum_of_all},
       {"sum-over-columns",
        "You summed y * g over axis 0. The softmax goes along the last axis, and so does the sum.", kSoftmax,
        mistakes::softmax_column_sum},
       {"other-sign", "All signs are turned round: it is g minus the sum, and not the sum minus g.", kSoftmax,
        mistakes::softmax_other_sign},
       {"factor-y-missing",
        "The factor y in front is missing. A number with a small y hardly moves, so little comes back to it.",
        kSoftmax, mistakes::softmax_no_factor},
       {"cross-entropy",
        "You subtracted g from y. That is the way back of softmax and cross-entropy in one; here g may be "
        "anything.",
        kSoftmax, mistakes::softmax_of_cross_entropy}});
}

}  // namespace parts
