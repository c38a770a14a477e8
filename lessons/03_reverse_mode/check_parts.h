// Parts 5 and 6 of the exercise: their calls and the mistakes that are known.
#pragma once

#include "check_mistakes.h"
#include "grader/part.h"

namespace parts {

using Measured = Tensor (*)(const Forward&, const Tensor&, const Tensor&);
inline Case<Measured> measured_case(const std::string& text, const Forward& f, const Tensor& x,
                                    const Tensor& u) {
  return {"measured_vjp(f, x, u) with f(x) = " + text,
          {shown("x", x), shown("u", u)},
          [=](Measured measured) { return Result{shown("result", measured(f, x, u))}; }};
}

inline grader::Part measured_part() {
  Rng rng(35);
  const auto random = [&rng](const Shape& shape) { return randn(shape, rng); };
  const std::vector<Case<Measured>> cases = {
      measured_case(
          "x * x", [](const Tensor& x) { return x * x; }, tensor({1, 2, 3}), tensor({1, 10, 100})),
      measured_case(
          "x * sum(x * x)", [](const Tensor& x) { return x * sum(x * x); }, random({2, 2}), random({2, 2})),
      measured_case(
          "sum(x * x * x, {1})", [](const Tensor& x) { return sum(x * x * x, {1}); }, random({2, 3}),
          random({2})),
      measured_case(
          "softmax(x)", [](const Tensor& x) { return softmax(x); }, random({2, 3}), random({2, 3})),
      measured_case(
          "exp(x)", [](const Tensor& x) { return exp(x); }, random({}), random({}))};
  return grader::part(
      "measured_vjp", 2, &measured_vjp, &solution::measured_vjp, cases,
      {{"forward-difference",
        "You measured between x and x + h. Its error is about h. Between x - h and x + h the error is about "
        "h².",
        kCheck, mistakes::measured_forward},
       {"divided-by-h", "You divided by h. The two points are 2 h apart.", kCheck, mistakes::measured_over_h},
       {"other-sign", "You subtracted the value above from the value below, so all signs are turned round.",
        kCheck, mistakes::measured_turned},
       {"u-forgotten",
        "You measured the sum of f(x). Multiply f(x) by u before you sum: that is the loss whose slopes are "
        "wanted.",
        kCheck, mistakes::measured_without_u},
       {"mean", "You took the mean of u * f(x). It is the sum that belongs to the cotangent u.", kCheck,
        mistakes::measured_mean},
       {"not-put-back",
        "You moved a number of x and did not put it back before you moved the next. Then the later slopes "
        "belong "
        "to another x.",
        kCheck, mistakes::measured_not_put_back},
       {"all-at-once",
        "You moved all numbers of x together. That gives the sum of their slopes. Move one at a time.",
        kCheck, mistakes::measured_all_at_once}},
      1e-7);
}

using Check = bool (*)(const Forward&, const Backward&, const Tensor&);
inline Case<Check> check_case(const std::string& f_text, const Forward& f, const std::string& vjp_text,
                              const Backward& vjp, const Tensor& x) {
  return {"gradient_check(f, vjp, x) with f(x) = " + f_text + " and vjp(g, x) = " + vjp_text,
          {shown("x", x)},
          [=](Check check) { return Result{shown("result", check(f, vjp, x))}; }};
}

inline Tensor square(const Tensor& x) { return x * x; }

// g, with the last number replaced.
inline Tensor with_last(const Tensor& g, double number) {
  Array changed = g.array();
  changed.data()[changed.size() - 1] = number;
  return Tensor(changed);
}

// Right vjps, in which a good check must find nothing.
inline std::vector<Case<Check>> right_ones(Rng& rng) {
  return {check_case(
              "x * x * x", [](const Tensor& x) { return x * x * x; },  //
              "3 * g * x * x", [](const Tensor& g, const Tensor& x) { return 3 * g * x * x; },
              tensor({2, 0.001, -1})),
          check_case(
              "softmax(x)", [](const Tensor& x) { return softmax(x); },  //
              "softmax_vjp(g, softmax(x))",
              [](const Tensor& g, const Tensor& x) { return solution::softmax_vjp(g, softmax(x)); },
              randn({2, 3}, rng)),
          check_case(
              "1e8 * x * x", [](const Tensor& x) { return 1e8 * x * x; },  //
              "2e8 * g * x", [](const Tensor& g, const Tensor& x) { return 2e8 * g * x; }, randn({3}, rng)),
          check_case(
              "sum(x, {1})", [](const Tensor& x) { return sum(x, {1}); },  //
              "sum_vjp(g, x.shape(), 1)",
              [](const Tensor& g, const Tensor& x) { return solution::sum_vjp(g, x.shape(), 1); },
              randn({2, 3}, rng))};
}

// Wrong ones of softmax, all of which return 0 for a cotangent of ones.
inline std::vector<Case<Check>> wrong_softmaxes(Rng& rng) {
  const auto wrong = [&rng](const std::string& text,
                            const std::function<Tensor(const Tensor&, const Tensor&)>& vjp) {
    return check_case(
        "softmax(x)", [](const Tensor& x) { return softmax(x); }, text + ", y = softmax(x)",
        [vjp](const Tensor& g, const Tensor& x) { return vjp(g, softmax(x)); }, randn({2, 3}, rng));
  };
  return {wrong("0 * y", [](const Tensor&, const Tensor& y) { return 0 * y; }),
          wrong("y * (sum(y * g, {-1}, true) - g)", mistakes::softmax_other_sign),
          wrong("y * (g - mean(g, {-1}, true))", mistakes::softmax_plain_mean)};
}

// Wrong ones of x * x.
inline std::vector<Case<Check>> wrong_squares(Rng& rng) {
  const auto wrong = [](const std::string& text, const Backward& vjp, const Tensor& x) {
    return check_case("x * x", square, text, vjp, x);
  };
  return {
      wrong(
          "2 * g * x, its last number doubled",
          [](const Tensor& g, const Tensor& x) {
            const Tensor right = 2 * g * x;
            return with_last(right, 2 * right.array().data()[right.size() - 1]);
          },
          randn({3}, rng)),
      wrong(
          "2 * g * x, its last number NaN",
          [](const Tensor& g, const Tensor& x) {
            return with_last(2 * g * x, std::numeric_limits<double>::quiet_NaN());
          },
          randn({3}, rng)),
      wrong(
          "2 * g * x - 1", [](const Tensor& g, const Tensor& x) { return 2 * g * x - 1; }, randn({3}, rng)),
      wrong(
          "2 * g * x in the shape (1,3)",
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
  return grader::part(
      "gradient_check", 3, &gradient_check, &solution::gradient_check, cases,
      {{"cotangent-of-ones",
        "Your cotangent is all ones, so you check the slopes of sum(f(x)). A vjp that never looks at g "
        "passes, "
        "and so does nearly everything for a softmax, whose sum is constant.",
        kCheck, mistakes::check_with_ones},
       {"two-cotangents",
        "You gave one cotangent to vjp and another to measured_vjp. Both must answer the same question.",
        kCheck, mistakes::check_two_cotangents},
       {"fixed-tolerance",
        "You compare with a fixed 1e-6. Large slopes are never measured so exactly, and small ones may be "
        "all "
        "wrong. The tolerance grows with the largest number measured.",
        kCheck, mistakes::check_fixed_tolerance},
       {"each-by-itself",
        "You compare each error with its own number. Where a slope is near 0, the error of measuring alone "
        "is too much then. "
        "Compare with the largest of all numbers.",
        kCheck, mistakes::check_each_by_itself},
       {"too-small-passes",
        "You compare the difference without its size, so a number that is far too small passes. Take "
        "std::abs.",
        kCheck, mistakes::check_signed},
       {"sign-passes",
        "You compare sizes, so a number with the wrong sign passes. Take the size of the difference.", kCheck,
        mistakes::check_sizes},
       {"nan-passes",
        "You look for errors that are larger than the tolerance, and NaN is never larger than anything. Ask "
        "whether the error is at most the tolerance, and refuse if it is not.",
        kCheck, mistakes::check_nan_passes},
       {"first-number", "You compare the first number and then decide. Look at all of them.", kCheck,
        mistakes::check_first_number},
       {"sums",
        "You compare the sum of the numbers. Errors cancel in a sum; for a softmax both sums are 0 whatever "
        "the "
        "numbers are.",
        kCheck, mistakes::check_sums},
       {"any-shape",
        "You did not compare the shapes. A vjp that returns (1,3) for an x of shape (3) is wrong, and "
        "broadcasting hides it.",
        kCheck, mistakes::check_any_shape}});
}

}  // namespace parts
