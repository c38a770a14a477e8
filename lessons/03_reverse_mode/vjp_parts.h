// Parts 1 to 4 of the exercise: their calls and the mistakes that are known.
#pragma once

#include <array>

#include "grader/part.h"
#include "vjp_together.h"

namespace parts {

using grader::Case;
using grader::Result;
using grader::shown;
using mistakes::SoftmaxVjp, mistakes::SumVjp, mistakes::TwoInputs;

// Whole numbers from -9 to 9.
inline Tensor drawn(const Shape& shape, Rng& rng) {
  Array x = empty_array(shape);
  for (double& number : x) number = static_cast<double>(rng.below(19)) - 9;
  return Tensor(x);
}

// A call of a vjp with two inputs, whose results are shown by name.
inline Case<TwoInputs> two_inputs(const std::string& call, const Tensor& g,
                                  const std::pair<std::string, Tensor>& x,
                                  const std::pair<std::string, Tensor>& y) {
  return {call, {shown("g", g), shown(x.first, x.second), shown(y.first, y.second)}, [=](TwoInputs vjp) {
            const auto [dx, dy] = vjp(g, x.second, y.second);
            return Result{shown("cotangent of " + x.first, dx), shown("cotangent of " + y.first, dy)};
          }};
}

inline grader::Part mul_part() {
  std::vector<Case<TwoInputs>> cases = {two_inputs("mul_vjp(g, x, y)", tensor({{1, 1}, {1, 2}}),
                                                   {"x", tensor({{1, 2}, {3, 4}})}, {"y", tensor({10, 20})})};
  Rng rng(31);
  const std::vector<std::pair<Shape, Shape>> shapes = {{{2, 3}, {2, 3}}, {{3, 1}, {1, 4}},    {{3}, {2, 1}},
                                                       {{}, {2, 2}},     {{2, 3, 2}, {3, 1}}, {{1, 1}, {1}}};
  for (const auto& [a, b] : shapes) {
    const Tensor x = drawn(a, rng), y = drawn(b, rng);
    cases.push_back(
        two_inputs("mul_vjp(g, x, y)", drawn(broadcast_shapes(a, b, "mul"), rng), {"x", x}, {"y", y}));
  }
  return grader::part("mul_vjp", 1, &mul_vjp, &solution::mul_vjp, cases,
                      with_together(mistakes::of_mul(), mistakes::together_in_mul()));
}

inline Case<SumVjp> sum_case(const Tensor& g, const Shape& shape, std::size_t axis) {
  return {"sum_vjp(g, shape, axis)",
          {shown("g", g), shown("shape", shape), shown("axis", axis)},
          [=](SumVjp vjp) { return Result{shown("cotangent of x", vjp(g, shape, axis))}; }};
}

inline grader::Part sum_part() {
  std::vector<Case<SumVjp>> cases = {sum_case(tensor({5, 7}), {2, 3}, 1)};
  Rng rng(32);
  const std::vector<std::pair<Shape, std::size_t>> calls = {{{2, 3}, 0},    {{3, 3}, 1}, {{4}, 0},
                                                            {{2, 3, 2}, 1}, {{3, 1}, 1}, {{2, 2, 3}, 0}};
  for (const auto& [shape, axis] : calls)
    cases.push_back(sum_case(drawn(reduced_shape(shape, {axis}, false), rng), shape, axis));
  return grader::part("sum_vjp", 1, &sum_vjp, &solution::sum_vjp, cases, mistakes::of_sum());
}

inline grader::Part matmul_part() {
  std::vector<Case<TwoInputs>> cases = {two_inputs("matmul_vjp(g, X, W)", tensor({{1}, {10}}),
                                                   {"X", tensor({{1, 2}, {3, 4}})},
                                                   {"W", tensor({{1}, {-1}})})};
  Rng rng(33);
  const std::vector<std::array<std::size_t, 3>> sizes = {
      {3, 3, 3}, {3, 2, 4}, {2, 3, 1}, {1, 3, 2}, {4, 1, 2}};
  for (const auto& [n, k, m] : sizes) {
    const Tensor X = drawn({n, k}, rng), W = drawn({k, m}, rng);
    cases.push_back(two_inputs("matmul_vjp(g, X, W)", drawn({n, m}, rng), {"X", X}, {"W", W}));
  }
  return grader::part("matmul_vjp", 2, &matmul_vjp, &solution::matmul_vjp, cases, mistakes::of_matmul());
}

inline Case<SoftmaxVjp> softmax_case(const Tensor& g, const Tensor& y) {
  return grader::calling<SoftmaxVjp>("softmax_vjp(g, y)", grader::named("g", g), grader::named("y", y));
}

inline grader::Part softmax_part() {
  std::vector<Case<SoftmaxVjp>> cases = {softmax_case(tensor({1, 5}), tensor({0.25, 0.75}))};
  Rng rng(34);
  for (const Shape& shape : std::vector<Shape>{{2, 3}, {3, 2}, {5}, {2, 2, 3}, {3, 1}}) {
    const Tensor powers = abs(drawn(shape, rng)) + 1;
    cases.push_back(softmax_case(drawn(shape, rng), powers / sum(powers, {-1}, true)));
  }
  return grader::part("softmax_vjp", 2, &softmax_vjp, &solution::softmax_vjp, cases,
                      with_together(mistakes::of_softmax(), mistakes::together_in_softmax()));
}

}  // namespace parts
