// Parts 1 to 4 of the exercise: their calls and the mistakes that are known.
#pragma once

#include "grader/slips.h"
#include "rows_mistakes.h"

namespace parts {

using grader::calling, grader::Case, grader::named, grader::Result, grader::shown;
using mistakes::DivVjp, mistakes::OneInput, mistakes::VarianceVjp;

// Whole numbers from -9 to 9.
inline Tensor drawn(const Shape& shape, Rng& rng) {
  Array x = empty_array(shape);
  for (double& number : x) number = static_cast<double>(rng.below(19)) - 9;
  return Tensor(x);
}

// The same without 0.
inline Tensor divisor(const Shape& shape, Rng& rng) {
  const Tensor x = drawn(shape, rng);
  return where(equal(x, 0), 4, x);
}

inline Case<DivVjp> div_case(const Tensor& g, const Tensor& x, const Tensor& y) {
  return {"div_vjp(g, x, y)", {shown("g", g), shown("x", x), shown("y", y)}, [=](const DivVjp& vjp) {
            const auto [x_bar, y_bar] = vjp(g, x, y);
            return Result{shown("cotangent of x", x_bar), shown("cotangent of y", y_bar)};
          }};
}

inline grader::Part div_part() {
  std::vector<Case<DivVjp>> cases = {
      div_case(tensor({{1, 1}, {1, 2}}), tensor({{2, 8}, {6, 4}}), tensor({2, 4}))};
  Rng rng(31);
  const std::vector<std::pair<Shape, Shape>> shapes = {{{2, 3}, {2, 3}}, {{3, 1}, {1, 4}},    {{3}, {2, 1}},
                                                       {{}, {2, 2}},     {{2, 3, 2}, {3, 1}}, {{1, 1}, {1}}};
  for (const auto& [a, b] : shapes) {
    const Tensor x = drawn(a, rng), y = divisor(b, rng);
    cases.push_back(div_case(drawn(broadcast_shapes(a, b, "div"), rng), x, y));
  }
  return grader::part<DivVjp>("div_vjp", 1, &div_vjp, &solution::div_vjp, cases,
                              grader::slips_of<DivVjp>(mistakes::div_with_slips, mistakes::kSlipsInDiv));
}

inline Case<VarianceVjp> variance_case(const Tensor& g, const Tensor& x, int axis) {
  return {"variance_vjp(g, x, axis)",
          {shown("g", g), shown("x", x), shown("axis", axis)},
          [=](const VarianceVjp& vjp) { return Result{shown("cotangent of x", vjp(g, x, axis))}; }};
}

inline grader::Part variance_part() {
  std::vector<Case<VarianceVjp>> cases = {variance_case(tensor({1, 10}), tensor({{0, 3, 6}, {0, 0, 9}}), 1)};
  Rng rng(32);
  const std::vector<std::pair<Shape, int>> calls = {{{2, 3}, 0},    {{3, 3}, 1}, {{4}, 0},
                                                    {{2, 3, 2}, 1}, {{3, 1}, 1}, {{2, 2, 3}, 0}};
  for (const auto& [shape, axis] : calls) {
    const Tensor x = drawn(shape, rng);
    cases.push_back(variance_case(drawn(sum(x, {axis}).shape(), rng), x, axis));
  }
  return grader::part<VarianceVjp>(
      "variance_vjp", 2, &variance_vjp, &solution::variance_vjp, cases,
      grader::slips_of<VarianceVjp>(mistakes::variance_with_slips, mistakes::kSlipsInVariance));
}

inline grader::Part gram_part() {
  const auto call = [](const Tensor& g, const Tensor& X) {
    return calling<OneInput>("gram_vjp(g, X)", named("g", g), named("X", X));
  };
  std::vector<Case<OneInput>> cases = {call(tensor({{1, 10}, {100, 1000}}), tensor({{1, 2}, {3, 4}}))};
  Rng rng(33);
  for (const Shape& shape : std::vector<Shape>{{3, 3}, {3, 2}, {2, 4}, {1, 3}, {4, 1}}) {
    const Tensor X = drawn(shape, rng);
    cases.push_back(call(drawn({shape[0], shape[0]}, rng), X));
  }
  return grader::part<OneInput>(
      "gram_vjp", 2, &gram_vjp, &solution::gram_vjp, cases,
      grader::slips_of<OneInput>(mistakes::gram_with_slips, mistakes::kSlipsInGram));
}

inline grader::Part shares_part() {
  const auto call = [](const Tensor& g, const Tensor& x) {
    return calling<OneInput>("shares_vjp(g, x)", named("g", g), named("x", x));
  };
  std::vector<Case<OneInput>> cases = {call(tensor({1, 5}), tensor({1, 3})),
                                       call(tensor({3, -1, 2}), tensor({-2, 5, 1}))};
  Rng rng(34);
  for (const Shape& shape : std::vector<Shape>{{2, 3}, {3, 2}, {5}, {2, 2, 3}, {3, 1}}) {
    const Tensor x = abs(drawn(shape, rng)) + 1;
    cases.push_back(call(drawn(shape, rng), x));
  }
  return grader::part<OneInput>(
      "shares_vjp", 2, &shares_vjp, &solution::shares_vjp, cases,
      grader::slips_of<OneInput>(mistakes::shares_with_slips, mistakes::kSlipsInShares));
}

}  // namespace parts
