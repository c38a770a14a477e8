// Parts 5 and 6 of the exercise: their calls and the mistakes that are known.
#pragma once

#include "check_mistakes.h"
#include "grader/slips.h"

namespace parts {

using mistakes::Check, mistakes::Measured, mistakes::OneInput;

inline Case<Measured> measured_case(const std::string& text, const Forward& f, const Tensor& x,
                                    const Tensor& u) {
  return {"measured_vjp(f, x, u), f = " + text,
          {shown("x", x), shown("u", u)},
          [=](const Measured& measured) { return Result{shown("result", measured(f, x, u))}; }};
}

inline grader::Part measured_part() {
  Rng rng(35);
  const auto random = [&rng](const std::string& text, const Forward& f, const Shape& of_x,
                             const Shape& of_u) {
    const Tensor x = randn(of_x, rng), u = randn(of_u, rng);
    return measured_case(text, f, x, u);
  };
  const std::vector<Case<Measured>> cases = {
      measured_case(
          "x * x", [](const Tensor& x) { return x * x; }, tensor({1, 2, 3}), tensor({1, 10, 100})),
      random("x * sum(x * x)", [](const Tensor& x) { return x * sum(x * x); }, {2, 2}, {2, 2}),
      random("sum(x * x * x, {1})", [](const Tensor& x) { return sum(x * x * x, {1}); }, {2, 3}, {2}),
      random("softmax(x)", [](const Tensor& x) { return softmax(x); }, {2, 3}, {2, 3}),
      random("exp(x)", [](const Tensor& x) { return exp(x); }, {}, {})};
  return grader::part<Measured>(
      "measured_vjp", 2, &measured_vjp, &solution::measured_vjp, cases,
      grader::slips_of<Measured>(mistakes::measured_with_slips, mistakes::kSlipsInMeasured), 1e-7);
}

inline Case<Check> check_case(const std::string& f_text, const Forward& f, const std::string& vjp_text,
                              const Backward& vjp, const Tensor& x) {
  return {"gradient_check(f, vjp, x), f = " + f_text + ", vjp = " + vjp_text,
          {shown("x", x)},
          [=](const Check& check) { return Result{shown("answer (1 is true)", check(f, vjp, x))}; }};
}

inline Tensor square(const Tensor& x) { return x * x; }

// g, with a number replaced.
inline Tensor with_number(const Tensor& g, std::size_t i, double number) {
  Array changed = g.array();
  changed.data()[i] = number;
  return Tensor(changed);
}

// Right vjps, in which a good check must find nothing.
inline std::vector<Case<Check>> right_ones(Rng& rng) {
  return {
      check_case(
          "x * x * x", [](const Tensor& x) { return x * x * x; },  //
          "3 * g * x * x", [](const Tensor& g, const Tensor& x) { return 3 * g * x * x; },
          tensor({2, 0.001, -1})),
      check_case("x / (sum of its row)", mistakes::shares,  //
                 "shares_vjp", solution::shares_vjp, abs(randn({2, 3}, rng)) + 0.1),
      check_case(
          "1e8 * x * x", [](const Tensor& x) { return 1e8 * x * x; },  //
          "2e8 * g * x", [](const Tensor& g, const Tensor& x) { return 2e8 * g * x; }, randn({3}, rng)),
      check_case(
          "var(x, {1})", [](const Tensor& x) { return var(x, {1}); },  //
          "variance_vjp", [](const Tensor& g, const Tensor& x) { return solution::variance_vjp(g, x, 1); },
          randn({2, 3}, rng)),
      check_case(
          "sum(softmax(x), {1}), always 1", [](const Tensor& x) { return sum(softmax(x), {1}); },  //
          "0", [](const Tensor&, const Tensor& x) { return 0 * x; }, randn({2, 3}, rng)),
      check_case(
          "1e8 * x * x * x", [](const Tensor& x) { return 1e8 * x * x * x; },  //
          "3e8 * g * x * x", [](const Tensor& g, const Tensor& x) { return 3e8 * g * x * x; },
          tensor({0, 1.3, 0.7}))};
}

// A right one whose slopes are all negative for the cotangent that Rng(1) draws, and so large that each is
// measured only roughly.
inline Case<Check> all_negative() {
  Rng rng(1);
  const double factor = randn({}, rng).item() > 0 ? -1e8 : 1e8;
  return check_case(
      fmt::format("{} * sum(x * x)", factor), [factor](const Tensor& x) { return factor * sum(x * x); },  //
      fmt::format("{} * g * x", 2 * factor),
      [factor](const Tensor& g, const Tensor& x) { return 2 * factor * g * x; }, tensor({0.3, 1.1, 0.7}));
}

// Wrong ones of softmax, all of which return 0 for a cotangent of ones.
inline std::vector<Case<Check>> wrong_softmaxes(Rng& rng) {
  const auto wrong = [&rng](const std::string& text, OneInput vjp) {
    return check_case(
        "softmax(x)", [](const Tensor& x) { return softmax(x); }, text,
        [vjp](const Tensor& g, const Tensor& x) { return vjp(g, softmax(x)); }, randn({2, 3}, rng));
  };
  return {wrong("0", [](const Tensor&, const Tensor& y) { return 0 * y; }),
          wrong("y * (the weighted mean of g, minus g)",
                [](const Tensor& g, const Tensor& y) { return y * (sum(y * g, {-1}, true) - g); }),
          wrong("y * (g - mean of g)",
                [](const Tensor& g, const Tensor& y) { return y * (g - mean(g, {-1}, true)); })};
}

// Wrong ones of x * x.
inline std::vector<Case<Check>> wrong_squares(Rng& rng) {
  const auto wrong = [](const std::string& text, const Backward& vjp, const Tensor& x) {
    return check_case("x * x", square, text, vjp, x);
  };
  return {
      wrong(
          "2 * g * x, last one doubled",
          [](const Tensor& g, const Tensor& x) {
            const Tensor right = 2 * g * x;
            return with_number(right, 2, 2 * right.array().data()[right.size() - 1]);
          },
          randn({3}, rng)),
      wrong(
          "2 * g * x, last one NaN",
          [](const Tensor& g, const Tensor& x) {
            return with_number(2 * g * x, 2, std::numeric_limits<double>::quiet_NaN());
          },
          randn({3}, rng)),
      wrong(
          "2 * g * x, first one NaN",
          [](const Tensor& g, const Tensor& x) {
            return with_number(2 * g * x, 0, std::numeric_limits<double>::quiet_NaN());
          },
          tensor({0.5, 1, 2})),
      wrong(
          "2 * g * x, first one infinite",
          [](const Tensor& g, const Tensor& x) {
            return with_number(2 * g * x, 0, std::numeric_limits<double>::infinity());
          },
          tensor({0.5, 1, 2})),
      wrong(
          "2.00002 * g * x", [](const Tensor& g, const Tensor& x) { return 2.00002 * g * x; },
          randn({3}, rng)),
      wrong(
          "2 * g * x - 1", [](const Tensor& g, const Tensor& x) { return 2 * g * x - 1; }, randn({3}, rng)),
      wrong(
          "2 * g * x of shape (1,3)",
          [](const Tensor& g, const Tensor& x) {
            return reshape(2 * g * x, {1, 3});
          },
          randn({3}, rng)),
      check_case(
          "1e-6 * x * x", [](const Tensor& x) { return 1e-6 * x * x; },  //
          "1e-6 * g * x", [](const Tensor& g, const Tensor& x) { return 1e-6 * g * x; },
          tensor({0.1, 0.2, 0.3}))};
}

inline grader::Part check_part() {
  std::vector<Case<Check>> cases = {
      check_case(
          "x * x", square, "2 * g * x", [](const Tensor& g, const Tensor& x) { return 2 * g * x; },
          tensor({1, 2, 3})),
      check_case(
          "x * x", square, "2 * x", [](const Tensor&, const Tensor& x) { return 2 * x; }, tensor({1, 2, 3}))};
  Rng rng(36);
  for (const auto& more : {right_ones(rng), wrong_softmaxes(rng), wrong_squares(rng)})
    cases.insert(cases.end(), more.begin(), more.end());
  cases.push_back(all_negative());
  grader::Part made =
      grader::part<Check>("gradient_check", 3, &gradient_check, &solution::gradient_check, cases,
                          grader::slips_of<Check>(mistakes::check_with_slips, mistakes::kSlipsInCheck));
  made.examples = 2;
  return made;
}

}  // namespace parts
