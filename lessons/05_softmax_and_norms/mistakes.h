// What people write in the place of the two parts about log-softmax, and what is wrong with it.
#pragma once

#include <cmath>

#include "exercise.h"
#include "grader/slips.h"
#include "layer_norm_gradients.h"

namespace mistakes {

using grader::Made;
using grader::Mistake;
using grader::Slip;
using grader::slips_of;

inline constexpr const char *kLarge = "Overflow at 1000, and scores of −∞",
                            *kLogarithms = "Logarithms: log-sum-exp and log-softmax",
                            *kBackThroughSoftmax = "The backward pass of softmax and log-softmax",
                            *kCrossEntropy = "Cross-entropy", *kNorms = "RMS norm and layer norm",
                            *kBackThroughNorms = "The backward pass of a norm";

// The axes that a sum, a mean or a maximum is taken over.
inline std::vector<int> axes_of(const Made& made, const Tensor& x) {
  if (made("over-columns")) return {0};
  if (made("axis-1-for-the-last")) return {1};
  if (!made("one-sum-for-all-rows") && !made("all-numbers-at-once")) return {-1};
  std::vector<int> all;
  for (std::size_t axis = 0; axis < x.shape().size(); ++axis) all.push_back(static_cast<int>(axis));
  return all;
}
inline Tensor row_sum(const Tensor& x) { return sum(x, {-1}, true); }

using LogSoftmax = std::function<Tensor(const Tensor&)>;

inline Tensor subtracted(const Made& made, const Tensor& x) {
  if (made("no-maximum") || made("softmax-by-the-book")) return Tensor(0);
  if (made("one-maximum-for-all-rows")) return max(x);
  if (made("maximum-over-columns")) return max(x, {0}, true);
  if (made("smallest-for-largest")) return -max(-x, {-1}, true);
  if (made("maximum-lies-down")) return max(x, {-1});
  if (made("sum-over-columns")) return max(x, {-1}, true);
  return made("one-sum-for-all-rows") ? max(x, {-1}, true) : max(x, axes_of(made, x), true);
}

inline Tensor log_softmax_with(const Made& made, const Tensor& x) {
  const Tensor shifted = x - subtracted(made, x), power = made("exp-forgotten") ? shifted : exp(shifted);
  Tensor total = made("sum-over-columns")    ? sum(power, {0}, true)
                 : made("row-sum-lies-down") ? sum(power, {-1})
                                             : sum(power, axes_of(made, x), true);
  if (made("mean-for-sum")) total = total / x.length(-1);
  const double small = made("1e-8-in-the-log")    ? 1e-8
                       : made("1e-9-in-the-log")  ? 1e-9
                       : made("1e-12-in-the-log") ? 1e-12
                                                  : 0;
  const Tensor p = power / total;
  if (made("no-logarithm")) return p;
  Tensor y;
  if (small > 0 || made("log-of-a-softmax") || made("softmax-by-the-book")) {
    y = log(p + small);
  } else {
    const Tensor last = made("sum-without-a-logarithm") ? total : log(total),
                 front = made("maximum-subtracted-once")    ? x
                         : made("maximum-subtracted-twice") ? shifted - subtracted(made, x)
                         : made("maximum-with-a-plus")      ? x + subtracted(made, x)
                                                            : shifted;
    y = made("plus-for-minus")             ? front + last
        : made("divided-by-the-logarithm") ? front / last
                                           : front - last;
  }
  if (made("base-2")) y = y / std::log(2.0);
  return made("wrong-sign") ? -y : y;
}

inline constexpr const char* kSmallNumber =
    "You added a small number before the logarithm. Then no result falls below the logarithm of that "
    "number. A score that lies 1000 below the largest looks like one that lies 20 below.";

inline const std::vector<grader::Slip> kSlipsOfStableLogSoftmax = {
    {"no-maximum",
     "You took e^x of the scores as they are. At x = 1000 that is infinite. Subtract the largest score of "
     "the row first.",
     kLarge},
    {"softmax-by-the-book",
     "You divided e^x by its sum and took the logarithm. At x = 1000 that is ∞/∞, which is NaN, and at "
     "-1000 it is 0/0. Subtract the largest score of the row first, and the logarithm of the sum last.",
     kLarge},
    {"log-of-a-softmax",
     "You computed the softmax and then took its logarithm. A probability of e^-1000 is stored as 0, and "
     "log 0 is -∞. Take the logarithm before anything is divided.",
     kLogarithms},
    {"1e-8-in-the-log", kSmallNumber, kLogarithms},
    {"1e-9-in-the-log", kSmallNumber, kLogarithms},
    {"1e-12-in-the-log", kSmallNumber, kLogarithms},
    {"one-maximum-for-all-rows",
     "You subtracted the largest number of all rows. In a row far below it every e^x becomes 0, and log 0 "
     "is -∞. Each row needs its own maximum: max(x, {-1}, true).",
     kLarge},
    {"maximum-over-columns",
     "You subtracted the largest number of each column. The numbers of a row must all be shifted by the "
     "same number, the largest of the row: max(x, {-1}, true).",
     kLarge},
    {"smallest-for-largest",
     "You subtracted the smallest score of the row. The largest one must become 0, so that no power "
     "overflows.",
     kLarge},
    {"maximum-subtracted-once",
     "You subtracted the maximum inside the sum, but not from the x in front of it, or added it back at the "
     "end. Subtract it in both places, or add it to the logarithm again.",
     kLogarithms},
    {"maximum-subtracted-twice",
     "You subtracted the maximum twice: x - max stands in front, and the maximum is added to the logarithm "
     "that is subtracted. One of the two is enough.",
     kLogarithms},
    {"maximum-with-a-plus",
     "You added the maximum where it is subtracted: x - max - log Σ e^(x - max). In log Σ e^x = max + log Σ "
     "e^(x - max) it stands behind the minus.",
     kLogarithms},
    {"maximum-lies-down",
     "Your maxima lie in a row: without `true` max drops the axis, and the maximum of row i meets column i. "
     "Keep the axis: max(x, {-1}, true).",
     kLarge},
    {"row-sum-lies-down",
     "Your row sums lie in a row: without `true` sum drops the axis, and the sum of row i meets column i. "
     "Keep the axis: sum(…, {-1}, true).",
     kLogarithms},
    {"sum-over-columns",
     "You summed e^x down the columns, over axis 0, and took the maximum of each row. Both are taken along "
     "the row: axis -1.",
     kLogarithms},
    {"no-logarithm", "You returned the softmax. Its logarithm is asked for.", kLogarithms},
    {"exp-forgotten", "You summed the scores themselves. The sum is over e^x.", kLogarithms},
    {"mean-for-sum", "You took the mean of e^x. The softmax divides by the sum.", kLogarithms},
    {"sum-without-a-logarithm", "You subtracted Σ e^x. Its logarithm is subtracted: y = x - log Σ e^x.",
     kLogarithms},
    {"plus-for-minus", "You added the logarithm of the sum. Subtract it.", kLogarithms},
    {"divided-by-the-logarithm",
     "You divided by the logarithm of the sum. The logarithm of a quotient is a difference.", kLogarithms},
    {"wrong-sign", "Your result has the wrong sign. The logarithm of a probability is at most 0.",
     kLogarithms},
    {"base-2", "You took logarithms to the base 2. Here log is the natural logarithm.", kLogarithms},
    {"over-columns",
     "You took sum and maximum down the columns, over axis 0. The numbers that belong together stand in a "
     "row, along the last axis: -1.",
     kLogarithms},
    {"axis-1-for-the-last",
     "You used axis 1. That is the last axis of a matrix only; -1 is the last axis of any tensor.",
     kLogarithms},
    {"one-sum-for-all-rows",
     "You summed over all numbers of x. Each row is a softmax of its own: sum along the last axis.",
     kLogarithms}};

inline std::vector<Mistake<LogSoftmax>> of_stable_log_softmax() {
  return slips_of<LogSoftmax>(log_softmax_with, kSlipsOfStableLogSoftmax);
}

using LogSoftmaxVjp = std::function<Tensor(const Tensor&, const Tensor&)>;

inline Tensor log_softmax_back(const Made& made, const Tensor& g, const Tensor& y) {
  const bool softmaxs = made("softmax's-own-vjp");
  const Tensor p = exp(made("g-and-y-exchanged") ? g : y);
  const Tensor inner = softmaxs || made("probabilities-in-the-sum") ? p * g
                       : made("g-times-y-in-the-sum")               ? g * y
                       : made("g-and-y-exchanged")                  ? y
                                                                    : g;
  Tensor total = sum(inner, axes_of(made, g), true);
  if (made("row-sum-lies-down")) total = sum(inner, {-1});
  if (made("g-for-its-sum")) total = g;
  if (made("largest-for-the-sum")) total = max(g, {-1}, true);
  if (made("mean-for-sum")) total = total / g.length(-1);
  if (made("sum-of-g-left-out")) total = Tensor(1);
  const Tensor outer = made("y-for-the-probabilities") ? y : made("probabilities-left-out") ? Tensor(1) : p;
  const Tensor back = outer * total, front = softmaxs || made("all-times-the-probabilities") ? p * g
                                             : made("g-left-out")                            ? g * 0
                                                                                             : g;
  if (made("through-x-only")) return front * 1;
  const Tensor x = made("plus-for-minus") ? front + back : front - back;
  return made("wrong-sign") ? -x : x;
}

inline const std::vector<grader::Slip> kSlipsOfLogSoftmaxVjp = {
    {"through-x-only",
     "You let g through unchanged. x also stands in log Σ e^x, and that way leads back to every score of "
     "the row.",
     kBackThroughSoftmax},
    {"g-left-out",
     "Your result has only the part that comes back through log Σ e^x. x also stands in front of it: g "
     "itself comes back that way.",
     kBackThroughSoftmax},
    {"softmax's-own-vjp",
     "You wrote the backward pass of a softmax. Here y is the logarithm of one: the sum is over g alone, "
     "and only that sum is multiplied by the probabilities.",
     kBackThroughSoftmax},
    {"probabilities-in-the-sum",
     "You multiplied g by the probabilities inside the sum. The sum is over g alone.", kBackThroughSoftmax},
    {"y-for-the-probabilities",
     "You multiplied by y, the log-probabilities. The slope of log Σ e^x is the probability, e^y.",
     kBackThroughSoftmax},
    {"g-and-y-exchanged", "You took exp of g and summed y. The sum is over g, and the probabilities are e^y.",
     kBackThroughSoftmax},
    {"probabilities-left-out",
     "You subtracted the sum as it is. It is multiplied by the probabilities, e^y: how much each score "
     "moves log Σ e^x.",
     kBackThroughSoftmax},
    {"g-times-y-in-the-sum", "Your sum is Σ g⊙y. What belongs there is Σ g.", kBackThroughSoftmax},
    {"sum-of-g-left-out",
     "You subtracted the probabilities as they are. They must be multiplied by the sum of g over the row. "
     "The sum is 1 only for some g.",
     kBackThroughSoftmax},
    {"all-times-the-probabilities",
     "You multiplied g by the probabilities too. Only the sum of g is multiplied by them: g - e^y Σ g.",
     kBackThroughSoftmax},
    {"g-for-its-sum",
     "You multiplied each probability by its own g. Every score moves the log Σ e^x of all numbers of its row, "
     "so what is multiplied is the row's sum of g.",
     kBackThroughSoftmax},
    {"largest-for-the-sum", "You took the largest g of the row. What belongs there is the row's sum of g.",
     kBackThroughSoftmax},
    {"row-sum-lies-down",
     "Your row sums lie in a row: without `true` sum drops the axis, and the sum of row i meets column i. "
     "Keep the axis: sum(g, {-1}, true).",
     kBackThroughSoftmax},
    {"plus-for-minus", "You added the part that comes back through log Σ e^x. It stands behind a minus.",
     kBackThroughSoftmax},
    {"wrong-sign", "All of your result has the wrong sign.", kBackThroughSoftmax},
    {"mean-for-sum",
     "You took the mean of g over the row. All numbers of y contain the same log Σ e^x, so their "
     "cotangents add up.",
     kBackThroughSoftmax},
    {"one-sum-for-all-rows",
     "You summed g over all rows. A row has a log Σ e^x of its own: sum along the last axis only.",
     kBackThroughSoftmax},
    {"over-columns",
     "You summed g down the columns, over axis 0. The numbers that share a log Σ e^x stand in one row: "
     "use axis -1.",
     kBackThroughSoftmax},
    {"axis-1-for-the-last",
     "You used axis 1. That is the last axis of a matrix only; -1 is the last axis of any tensor.",
     kBackThroughSoftmax}};

inline std::vector<Mistake<LogSoftmaxVjp>> of_log_softmax_vjp() {
  return slips_of<LogSoftmaxVjp>(log_softmax_back, kSlipsOfLogSoftmaxVjp);
}

}  // namespace mistakes
