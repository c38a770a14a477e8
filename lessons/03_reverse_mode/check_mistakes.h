// What learners write instead of measured_vjp and gradient_check.
#pragma once

#include <algorithm>
#include <cmath>

#include "functions.h"
#include "headlight/ops/ops.h"
#include "rows_mistakes.h"

namespace mistakes {

using Measured = std::function<Tensor(const Forward&, const Tensor&, const Tensor&)>;
using Check = std::function<bool(const Forward&, const Backward&, const Tensor&)>;

// The difference quotient of loss(distance from x) with h as the step.
template <class Loss>
double slope_with_slips(const Made& made, const Loss& loss) {
  const double h = made("h-too-large") ? 1e-3 : 1e-5;
  const bool forward = made("forward-difference"), backward = made("backward-difference");
  const bool one_side = made("one-side-over-2h");
  const double above = loss(backward ? 0 : h), below = loss(!backward && (forward || one_side) ? 0 : -h);
  const double difference = made("other-sign") ? below - above : above - below;
  if (made("not-divided")) return difference;
  if (made("h-forgotten")) return difference / 2;
  return difference / (((forward || backward) && !one_side) || made("divided-by-h") ? h : 2 * h);
}

inline Tensor measured_with_slips(const Made& made, const Forward& f, const Tensor& x, const Tensor& u) {
  Array moved = x.array(), slopes = zeros(x.shape()).array();
  const std::size_t begin = made("first-number-left-out") ? 1 : 0,
                    end = made("first-number-alone") ? 1
                                                     : moved.size() - (made("last-number-left-out") ? 1 : 0);
  for (std::size_t i = begin; i < end; ++i) {
    const double here = x.array().data()[i];
    slopes.data()[i] =
        (made("added-to-x") ? here : 0) + slope_with_slips(made, [&](double distance) {
          moved.data()[i] = here + distance;
          const Tensor z = f(made("all-at-once") ? x + distance : made("all-0") ? x : Tensor(moved));
          const Tensor terms = made("u-forgotten") ? z : u * z;
          return (made("mean") ? mean(terms) : sum(terms)).item();
        });
    if (!made("not-put-back")) moved.data()[i] = here;
  }
  return Tensor(slopes);
}

inline const std::vector<Slip> kSlipsInMeasured = {
    {"forward-difference",
     "You measured between x and x + h. Its error is about h. Between x - h and x + h the error is about h².",
     kCheck},
    {"backward-difference",
     "You measured between x - h and x. Its error is about h. Between x - h and x + h the error is about h².",
     kCheck},
    {"one-side-over-2h",
     "You measured on one side of x alone, and divided by 2 h. Measure between x - h and x + h.", kCheck},
    {"divided-by-h",
     "Your slopes are twice as large as they should be: you divided by half of the distance between the two "
     "points. x - h and x + h are 2 h apart.",
     kCheck},
    {"h-too-large", "Your h is 1e-3. The error of central differences is about h²: take 1e-5.", kCheck},
    {"h-forgotten", "You divided by 2. The two points are 2 h apart.", kCheck},
    {"not-divided", "You did not divide. A slope is the difference divided by 2 h.", kCheck},
    {"other-sign", "You subtracted the value above from the value below, so all signs are turned round.",
     kCheck},
    {"u-forgotten",
     "You measured the sum of f(x). Multiply f(x) by u before you sum: that is the loss whose slopes are "
     "wanted.",
     kCheck},
    {"mean", "You took the mean of u * f(x). It is the sum that belongs to the cotangent u.", kCheck},
    {"not-put-back",
     "You moved a number of x and did not put it back before you moved the next. Then the later slopes "
     "belong to another x.",
     kCheck},
    {"first-number-left-out", "Your first slope is 0: it was not measured. Count i from 0.", kCheck},
    {"last-number-left-out", "Your last slope is 0: it was not measured. There are a.size() numbers.",
     kCheck},
    {"first-number-alone",
     "Only your first slope is measured, and the others are 0. Return behind the loop, not in it.", kCheck},
    {"added-to-x", "You added the slopes to the numbers of x. Return the slopes alone.", kCheck},
    {"all-0",
     "All of your slopes are 0, or nearly. Either f got the same x each time: give it Tensor(a) after you "
     "moved a number of a. Or you multiplied by h: a / 2 * h is (a / 2) * h, so put 2 * h into brackets.",
     kCheck},
    {"all-at-once",
     "You moved all numbers of x together. That gives the sum of their slopes. Move one at a time.", kCheck}};

inline double largest_with_slips(const Made& made, const Array& numbers) {
  double found = 0;
  for (double number : numbers)
    found = std::max(found, made("largest-without-abs") ? number : std::abs(number));
  return found;
}

inline double tolerance_with_slips(const Made& made, double measured, double largest) {
  if (made("fixed-tolerance")) return 1e-6;
  if (made("least-tolerance-alone")) return 1e-9;
  if (made("least-tolerance-too-large")) return 1e-6 * (1 + largest);
  const double of = made("each-by-itself") || made("tolerance-of-each-slope") ? std::abs(measured) : largest;
  const double least = made("each-by-itself") || made("no-least-tolerance") ? 0 : 1e-9;
  return (least + 1e-6 * of) * (made("too-tolerant") ? 1e3 : 1);
}

inline bool all_near(const Made& made, const Array& claimed, const Array& measured, double largest) {
  double worst = 0;
  for (std::size_t i = 0; i < claimed.size(); ++i) {
    const double c = claimed.data()[i], m = measured.data()[i];
    const double tolerance = tolerance_with_slips(made, m, largest);
    const double error = made("too-small-passes") ? c - m
                         : made("sign-passes")    ? std::abs(std::abs(c) - std::abs(m))
                                                  : std::abs(c - m);
    worst = std::max(error / tolerance, worst);  // begins anew after a NaN
    const bool passes = made("nan-passes") ? !(error > tolerance) : error <= tolerance;
    if (made("first-number") || (made("one-right-number") && passes)) return passes;
    if (!passes && !made("nan-lost-in-max") && !made("one-right-number")) return false;
  }
  return made("nan-lost-in-max") ? worst <= 1 : !made("one-right-number");
}

inline bool check_with_slips(const Made& made, const Forward& f, const Backward& vjp, const Tensor& x) {
  Rng rng(1);
  const Shape shape = f(x).shape(), of_u = made("u-of-the-shape-of-x") ? x.shape() : shape;
  const Tensor u = made("cotangent-of-ones") ? ones(of_u) : randn(of_u, rng),
               v = made("two-cotangents") ? randn(shape, rng) : u;
  Array claimed = (made("arguments-exchanged") ? vjp(x, u) : vjp(u, x)).array(),
        measured = solution::measured_vjp(f, x, v).array();
  const bool fits =
      claimed.shape() == measured.shape() || (made("any-shape") && claimed.size() == measured.size());
  const double largest = largest_with_slips(made, made("largest-of-vjp") ? claimed : measured);
  if (made("sums")) claimed = sum(Tensor(claimed)).array(), measured = sum(Tensor(measured)).array();
  return (fits && all_near(made, claimed, measured, largest)) != made("turned-round");
}

inline const std::vector<Slip> kSlipsInCheck = {
    {"cotangent-of-ones",
     "Your cotangent is all ones, so you check the slopes of sum(f(x)). A vjp that never looks at g passes, "
     "and so does nearly everything for a softmax, whose sum is constant.",
     kCheck},
    {"u-of-the-shape-of-x",
     "Your u has the shape of x. u is a cotangent of f(x), so it has the shape of f(x).", kCheck},
    {"two-cotangents",
     "You gave one cotangent to vjp and another to measured_vjp. Both must answer the same question.",
     kCheck},
    {"arguments-exchanged", "You called vjp(x, u). The cotangent comes first: vjp(u, x).", kCheck},
    {"any-shape",
     "You did not compare the shapes. A vjp that returns (1,3) for an x of shape (3) is wrong, and "
     "broadcasting hides it.",
     kCheck},
    {"nan-passes",
     "A vjp that returns NaN passes. A comparison with NaN is false: NaN is never larger than the tolerance, "
     "and std::max(a, NaN) is a. Ask of each number whether its error is at most the tolerance, and refuse "
     "if it is not.",
     kCheck},
    {"nan-lost-in-max",
     "A NaN is lost if other numbers follow: std::max(NaN, a) is NaN, but std::max(b, NaN) is b again. Ask "
     "of each number whether its error is at most the tolerance, and refuse if it is not.",
     kCheck},
    {"too-small-passes",
     "You compare the difference without its size, so a number far too small passes. Take std::abs.", kCheck},
    {"sign-passes",
     "You compare sizes, so a number with the wrong sign passes. Take the size of the difference.", kCheck},
    {"fixed-tolerance",
     "You compare with a fixed 1e-6. Large slopes are never measured so exactly, and small ones may be all "
     "wrong. The tolerance grows with the largest number measured.",
     kCheck},
    {"least-tolerance-alone",
     "Your tolerance is 1e-9 alone, so a right vjp fails. It grows with the largest number measured: 1e-9 "
     "+ 1e-6 * largest. A largest that is looked for with std::min stays 0.",
     kCheck},
    {"least-tolerance-too-large",
     "The part of your tolerance that does not grow is too large: where all slopes are small, a wrong vjp "
     "passes. It is 1e-9.",
     kCheck},
    {"each-by-itself",
     "You compare each error with its own number. Where a slope is near 0, the error of measuring alone is "
     "too much. Compare with the largest of all numbers.",
     kCheck},
    {"tolerance-of-each-slope",
     "Your tolerance grows with each slope itself. A slope of 0 beside large ones is measured only roughly, "
     "too: take the largest number measured.",
     kCheck},
    {"no-least-tolerance",
     "Your tolerance has no 1e-9, or multiplies it too. Where all slopes are 0, only rounding is measured, "
     "and a part of that is no tolerance: a right vjp fails. Add 1e-9 to 1e-6 * largest.",
     kCheck},
    {"too-tolerant",
     "Your tolerance is too large: a vjp that is wrong by a hundred-thousandth passes. Allow 1e-9 + 1e-6 * "
     "largest.",
     kCheck},
    {"largest-without-abs",
     "You look for the largest number measured without taking std::abs. If all slopes are negative, you find "
     "0 or less, and the tolerance is too small for a right vjp.",
     kCheck},
    {"largest-of-vjp",
     "You look for the largest number among those of vjp. If vjp returns an infinite one, "
     "everything passes. Look among the measured ones.",
     kCheck},
    {"first-number", "You compare the first number and then decide. Look at all of them.", kCheck},
    {"one-right-number",
     "One right number is enough for your function to say true. It is true only if all numbers are right.",
     kCheck},
    {"turned-round", "Your answer is turned round: true means that vjp is right.", kCheck},
    {"sums",
     "You compare the sum of the numbers. Errors cancel in a sum; for a softmax both sums are 0 whatever the "
     "numbers are.",
     kCheck}};

}  // namespace mistakes
