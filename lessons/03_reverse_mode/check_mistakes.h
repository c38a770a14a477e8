// What learners write instead of measured_vjp and gradient_check.
#pragma once

#include <algorithm>
#include <cmath>

#include "functions.h"
#include "headlight/ops/ops.h"
#include "rows_mistakes.h"

namespace mistakes {

using Measured = Tensor (*)(const Forward&, const Tensor&, const Tensor&);
using Check = bool (*)(const Forward&, const Backward&, const Tensor&);

inline constexpr double h = 1e-5;

// measured_vjp with another quotient: slope(loss, x_i), where loss(number) puts a number in the place of x_i.
template <class Slope>
Tensor each_slope(const Forward& f, const Tensor& x, const Tensor& u, Slope slope) {
  Array moved = x.array(), slopes = moved;
  for (std::size_t i = 0; i < moved.size(); ++i) {
    const auto loss = [&](double number) {
      moved.data()[i] = number;
      return sum(u * f(Tensor(moved))).item();
    };
    slopes.data()[i] = slope(loss, x.array().data()[i]);
    moved.data()[i] = x.array().data()[i];
  }
  return Tensor(slopes);
}

inline Tensor measured_forward(const Forward& f, const Tensor& x, const Tensor& u) {
  return each_slope(f, x, u, [](auto loss, double here) { return (loss(here + h) - loss(here)) / h; });
}
inline Tensor measured_over_h(const Forward& f, const Tensor& x, const Tensor& u) {
  return each_slope(f, x, u, [](auto loss, double here) { return (loss(here + h) - loss(here - h)) / h; });
}
inline Tensor measured_turned(const Forward& f, const Tensor& x, const Tensor& u) {
  return each_slope(f, x, u,
                    [](auto loss, double here) { return (loss(here - h) - loss(here + h)) / (2 * h); });
}
inline Tensor measured_without_u(const Forward& f, const Tensor& x, const Tensor& u) {
  return solution::measured_vjp(f, x, ones(u.shape()));
}
inline Tensor measured_mean(const Forward& f, const Tensor& x, const Tensor& u) {
  return solution::measured_vjp(f, x, u) / static_cast<double>(u.size());
}
inline Tensor measured_not_put_back(const Forward& f, const Tensor& x, const Tensor& u) {
  Array moved = x.array(), slopes = moved;
  for (std::size_t i = 0; i < moved.size(); ++i) {
    moved.data()[i] += h;
    const double above = sum(u * f(Tensor(moved))).item();
    moved.data()[i] -= 2 * h;
    const double below = sum(u * f(Tensor(moved))).item();
    slopes.data()[i] = (above - below) / (2 * h);
  }
  return Tensor(slopes);
}
inline Tensor measured_all_at_once(const Forward& f, const Tensor& x, const Tensor& u) {
  const double above = sum(u * f(x + h)).item(), below = sum(u * f(x - h)).item();
  return full(x.shape(), (above - below) / (2 * h));
}

// gradient_check with another judge of the numbers claimed and measured, which are given as two arrays.
template <class Judge>
bool judged(const Forward& f, const Backward& vjp, const Tensor& x, Judge judge) {
  Rng rng(1);
  const Tensor u = randn(f(x).shape(), rng);
  const Array claimed = vjp(u, x).array(), measured = solution::measured_vjp(f, x, u).array();
  return claimed.shape() == measured.shape() && judge(claimed, measured);
}

inline double largest(const Array& a) {
  double found = 0;
  for (double number : a) found = std::max(found, std::abs(number));
  return found;
}

// Whether wrong(claimed, measured, tolerance) is true of no number.
template <class Wrong>
bool none(const Array& claimed, const Array& measured, Wrong wrong) {
  const double tolerance = 1e-9 + 1e-6 * largest(measured);
  for (std::size_t i = 0; i < claimed.size(); ++i)
    if (wrong(claimed.data()[i], measured.data()[i], tolerance)) return false;
  return true;
}

inline bool check_with_ones(const Forward& f, const Backward& vjp, const Tensor& x) {
  const Tensor u = ones(f(x).shape());
  const Array claimed = vjp(u, x).array(), measured = solution::measured_vjp(f, x, u).array();
  return claimed.shape() == measured.shape() &&
         none(claimed, measured, [](double c, double m, double t) { return !(std::abs(c - m) <= t); });
}
inline bool check_u_of_x(const Forward& f, const Backward& vjp, const Tensor& x) {
  Rng rng(1);
  const Tensor u = randn(x.shape(), rng);
  const Array claimed = vjp(u, x).array(), measured = solution::measured_vjp(f, x, u).array();
  return claimed.shape() == measured.shape() &&
         none(claimed, measured, [](double c, double m, double t) { return !(std::abs(c - m) <= t); });
}
inline bool check_two_cotangents(const Forward& f, const Backward& vjp, const Tensor& x) {
  Rng rng(1);
  const Tensor u = randn(f(x).shape(), rng), v = randn(f(x).shape(), rng);
  const Array claimed = vjp(u, x).array(), measured = solution::measured_vjp(f, x, v).array();
  return claimed.shape() == measured.shape() &&
         none(claimed, measured, [](double c, double m, double t) { return !(std::abs(c - m) <= t); });
}
inline bool check_fixed_tolerance(const Forward& f, const Backward& vjp, const Tensor& x) {
  return judged(f, vjp, x, [](const Array& claimed, const Array& measured) {
    return none(claimed, measured, [](double c, double m, double) { return !(std::abs(c - m) <= 1e-6); });
  });
}
inline bool check_each_slope_by_itself(const Forward& f, const Backward& vjp, const Tensor& x) {
  return judged(f, vjp, x, [](const Array& claimed, const Array& measured) {
    return none(claimed, measured,
                [](double c, double m, double) { return !(std::abs(c - m) <= 1e-9 + 1e-6 * std::abs(m)); });
  });
}
inline bool check_each_by_itself(const Forward& f, const Backward& vjp, const Tensor& x) {
  return judged(f, vjp, x, [](const Array& claimed, const Array& measured) {
    return none(claimed, measured,
                [](double c, double m, double) { return !(std::abs(c - m) <= 1e-6 * std::abs(m)); });
  });
}
inline bool check_without_the_least(const Forward& f, const Backward& vjp, const Tensor& x) {
  return judged(f, vjp, x, [](const Array& claimed, const Array& measured) {
    const double most = 1e-6 * largest(measured);
    return none(claimed, measured, [most](double c, double m, double) { return !(std::abs(c - m) <= most); });
  });
}
inline bool check_loosely(const Forward& f, const Backward& vjp, const Tensor& x) {
  return judged(f, vjp, x, [](const Array& claimed, const Array& measured) {
    return none(claimed, measured,
                [](double c, double m, double t) { return !(std::abs(c - m) <= 1e3 * t); });
  });
}
inline bool check_signed(const Forward& f, const Backward& vjp, const Tensor& x) {
  return judged(f, vjp, x, [](const Array& claimed, const Array& measured) {
    return none(claimed, measured, [](double c, double m, double t) { return !(c - m <= t); });
  });
}
inline bool check_sizes(const Forward& f, const Backward& vjp, const Tensor& x) {
  return judged(f, vjp, x, [](const Array& claimed, const Array& measured) {
    return none(claimed, measured,
                [](double c, double m, double t) { return !(std::abs(std::abs(c) - std::abs(m)) <= t); });
  });
}
inline bool check_nan_passes(const Forward& f, const Backward& vjp, const Tensor& x) {
  return judged(f, vjp, x, [](const Array& claimed, const Array& measured) {
    return none(claimed, measured, [](double c, double m, double t) { return std::abs(c - m) > t; });
  });
}
// The largest error, as std::max finds it: after a NaN it begins anew.
inline bool check_max_from_the_left(const Forward& f, const Backward& vjp, const Tensor& x) {
  return judged(f, vjp, x, [](const Array& claimed, const Array& measured) {
    double worst = 0;
    for (std::size_t i = 0; i < claimed.size(); ++i)
      worst = std::max(std::abs(claimed.data()[i] - measured.data()[i]), worst);
    return worst <= 1e-9 + 1e-6 * largest(measured);
  });
}
inline bool check_largest_signed(const Forward& f, const Backward& vjp, const Tensor& x) {
  return judged(f, vjp, x, [](const Array& claimed, const Array& measured) {
    double top = 0;
    for (double number : measured) top = std::max(top, number);
    for (std::size_t i = 0; i < claimed.size(); ++i)
      if (!(std::abs(claimed.data()[i] - measured.data()[i]) <= 1e-9 + 1e-6 * top)) return false;
    return true;
  });
}
inline bool check_first_number(const Forward& f, const Backward& vjp, const Tensor& x) {
  return judged(f, vjp, x, [](const Array& claimed, const Array& measured) {
    const double tolerance = 1e-9 + 1e-6 * largest(measured);
    return std::abs(claimed.data()[0] - measured.data()[0]) <= tolerance;
  });
}
inline bool check_sums(const Forward& f, const Backward& vjp, const Tensor& x) {
  return judged(f, vjp, x, [](const Array& claimed, const Array& measured) {
    const double c = sum(Tensor(claimed)).item(), m = sum(Tensor(measured)).item();
    return std::abs(c - m) <= 1e-9 + 1e-6 * largest(measured);
  });
}
inline bool check_any_shape(const Forward& f, const Backward& vjp, const Tensor& x) {
  Rng rng(1);
  const Tensor u = randn(f(x).shape(), rng);
  const Tensor measured = solution::measured_vjp(f, x, u), error = abs(vjp(u, x) - measured);
  return max(error).item() <= 1e-9 + 1e-6 * largest(measured.array());
}

inline std::vector<grader::Mistake<Measured>> of_measured() {
  return {
      {"forward-difference",
       "You measured between x and x + h. Its error is about h. Between x - h and x + h the error is about "
       "h².",
       kCheck, measured_forward},
      {"divided-by-h", "You divided by h. The two points are 2 h apart.", kCheck, measured_over_h},
      {"other-sign", "You subtracted the value above from the value below, so all signs are turned round.",
       kCheck, measured_turned},
      {"u-forgotten",
       "You measured the sum of f(x). Multiply f(x) by u before you sum: that is the loss whose slopes are "
       "wanted.",
       kCheck, measured_without_u},
      {"mean", "You took the mean of u * f(x). It is the sum that belongs to the cotangent u.", kCheck,
       measured_mean},
      {"not-put-back",
       "You moved a number of x and did not put it back before you moved the next. Then the later slopes "
       "belong "
       "to another x.",
       kCheck, measured_not_put_back},
      {"all-at-once",
       "You moved all numbers of x together. That gives the sum of their slopes. Move one at a time.", kCheck,
       measured_all_at_once}};
}

inline std::vector<grader::Mistake<Check>> of_tolerance() {
  return {
      {"fixed-tolerance",
       "You compare with a fixed 1e-6. Large slopes are never measured so exactly, and small ones may be all "
       "wrong. The tolerance grows with the largest number measured.",
       kCheck, check_fixed_tolerance},
      {"each-by-itself",
       "You compare each error with its own number. Where a slope is near 0, the error of measuring alone "
       "is too much. Compare with the largest of all numbers.",
       kCheck, check_each_by_itself},
      {"tolerance-of-each-slope",
       "Your tolerance grows with each slope itself. A slope of 0 beside large ones is measured only "
       "roughly, "
       "too: take the largest number measured.",
       kCheck, check_each_slope_by_itself},
      {"no-least-tolerance",
       "Your tolerance has no 1e-9. Where all slopes are 0, only rounding is measured, and a part of that is "
       "no tolerance: a right vjp fails.",
       kCheck, check_without_the_least},
      {"too-tolerant",
       "Your tolerance is too large: a vjp that is wrong by a hundred-thousandth passes. Allow 1e-9 + 1e-6 * "
       "largest.",
       kCheck, check_loosely}};
}

inline std::vector<grader::Mistake<Check>> of_check() {
  std::vector<grader::Mistake<Check>> all = {
      {"cotangent-of-ones",
       "Your cotangent is all ones, so you check the slopes of sum(f(x)). A vjp that never looks at g "
       "passes, and so does nearly everything for a softmax, whose sum is constant.",
       kCheck, check_with_ones},
      {"u-of-the-shape-of-x",
       "Your u has the shape of x. u is a cotangent of f(x), so it has the shape of f(x).", kCheck,
       check_u_of_x},
      {"two-cotangents",
       "You gave one cotangent to vjp and another to measured_vjp. Both must answer the same question.",
       kCheck, check_two_cotangents},
      {"too-small-passes",
       "You compare the difference without its size, so a number far too small passes. Take std::abs.",
       kCheck, check_signed},
      {"sign-passes",
       "You compare sizes, so a number with the wrong sign passes. Take the size of the difference.", kCheck,
       check_sizes},
      {"nan-passes",
       "A vjp that returns NaN passes. A comparison with NaN is false: NaN is never larger than the "
       "tolerance, and std::max(a, NaN) is a. Ask of each number whether its error is at most the tolerance, "
       "and refuse if it is not.",
       kCheck, check_nan_passes},
      {"nan-lost-in-max",
       "A NaN is lost if other numbers follow: std::max(NaN, a) is NaN, but std::max(b, NaN) is b again. Ask "
       "of each number whether its error is at most the tolerance, and refuse if it is not.",
       kCheck, check_max_from_the_left},
      {"largest-without-abs",
       "You look for the largest number measured without taking std::abs. If all slopes are negative, you "
       "find 0 or less, and the tolerance is too small for a right vjp.",
       kCheck, check_largest_signed},
      {"first-number", "You compare the first number and then decide. Look at all of them.", kCheck,
       check_first_number},
      {"sums",
       "You compare the sum of the numbers. Errors cancel in a sum; for a softmax both sums are 0 whatever "
       "the numbers are.",
       kCheck, check_sums},
      {"any-shape",
       "You did not compare the shapes. A vjp that returns (1,3) for an x of shape (3) is wrong, and "
       "broadcasting hides it.",
       kCheck, check_any_shape}};
  const auto more = of_tolerance();
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace mistakes
