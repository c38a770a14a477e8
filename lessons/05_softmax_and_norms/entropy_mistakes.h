// What people write in the place of the two parts about cross-entropy.
#pragma once

#include "mistakes.h"

namespace mistakes {

using CrossEntropy = std::function<double(const Tensor&, const IntArray&)>;

// What is picked from.
inline Tensor scored(const Made& made, const Tensor& x) {
  const int axis = made("over-columns") ? 0 : -1;
  if (made("scores-for-log-probabilities")) return x;
  if (made("no-logarithm") || made("log-of-the-mean")) return softmax(x, axis);
  if (made("log-of-a-softmax")) return log(softmax(x, axis));
  return log_softmax(made("softmax-twice") ? softmax(x) : x, axis);
}

inline double cross_entropy(const Made& made, const Tensor& x, const IntArray& targets) {
  const Tensor y = scored(made, x);
  const std::size_t n = targets.size(), begin = made("first-row-left-out") ? 1 : 0,
                    end = n - (made("last-row-left-out") ? 1 : 0);
  double total = 0;
  for (std::size_t i = begin; i < (made("first-row-alone") ? 1 : end); ++i) {
    const auto target = static_cast<std::size_t>(targets(made("first-target-for-all") ? 0 : i));
    double picked = made("row-and-column-exchanged") ? y.array()(target, i) : y.array()(i, target);
    if (made("place-for-target")) picked = y.array()(i, i);
    if (made("first-row-for-all")) picked = y.array()(0, target);
    if (made("first-column-for-all")) picked = y.array()(i, 0);
    if (made("last-column-for-all")) picked = y.array()(i, x.length(-1) - 1);
    if (made("whole-row")) picked = sum(slice(y, 0, static_cast<int>(i), static_cast<int>(i) + 1)).item();
    if (made("target-after")) picked = y.array()(i, (target + 1) % x.length(-1));
    if (made("largest-for-target"))
      picked = max(slice(y, 0, static_cast<int>(i), static_cast<int>(i) + 1)).item();
    const double cost = made("no-minus") ? picked : -picked;
    total = made("overwritten") ? cost : made("whole-total") ? std::trunc(total + cost) : total + cost;
  }
  if (made("base-2")) total /= std::log(2.0);
  const double count = made("sum-for-mean")            ? 1
                       : made("mean-over-all-numbers") ? static_cast<double>(x.size())
                       : made("divided-by-V")          ? static_cast<double>(x.length(-1))
                       : made("divided-by-n-minus-1")  ? static_cast<double>(n) - 1
                       : made("divided-by-n-twice")    ? static_cast<double>(n * n)
                                                       : static_cast<double>(n);
  const double mean = total / count;
  return made("log-of-the-mean") ? -std::log(std::abs(mean)) : mean;
}

inline const std::vector<grader::Slip> kSlipsOfMeanCrossEntropy = {
    {"sum-for-mean", "You added up the rows. Divide by their number.", kCrossEntropy},
    {"no-minus",
     "You left out the minus. A log-probability is at most 0, and the loss is its negative: 0 at best.",
     kCrossEntropy},
    {"mean-over-all-numbers",
     "You divided by the count of all numbers. Only one number of each row counts: divide by the number "
     "of rows.",
     kCrossEntropy},
    {"divided-by-V", "You divided by V, the length of a row. The mean is over the n rows.", kCrossEntropy},
    {"divided-by-n-minus-1", "You divided by n - 1. The mean over n rows divides by n.", kCrossEntropy},
    {"divided-by-n-twice", "You divided by n twice. The mean divides once, after the sum or within it.",
     kCrossEntropy},
    {"overwritten", "Your sum has the last row only: you wrote `=` where `+=` or `-=` belongs.",
     kCrossEntropy},
    {"whole-total", "Your sum is a whole number after each row: an int holds it. Take a double.",
     kCrossEntropy},
    {"row-and-column-exchanged", "You picked (target, row). The row comes first: y.array()(i, targets(i)).",
     kCrossEntropy},
    {"place-for-target", "You picked column i of row i. The column is the target, targets(i).",
     kCrossEntropy},
    {"first-target-for-all", "You used the first target in each row. Row i has targets(i).", kCrossEntropy},
    {"first-row-for-all", "You picked from row 0 each time. Row i has its own scores.", kCrossEntropy},
    {"first-column-for-all", "You picked column 0 of each row. The column is the target, targets(i).",
     kCrossEntropy},
    {"last-column-for-all", "You picked the last column of each row. The column is the target, targets(i).",
     kCrossEntropy},
    {"target-after", "You picked the column after the target. Targets count from 0: column targets(i).",
     kCrossEntropy},
    {"whole-row",
     "You added up the log-probabilities of the whole row. Only that of the target counts: column targets(i).",
     kCrossEntropy},
    {"first-row-left-out", "You left out the first row. Count from 0.", kCrossEntropy},
    {"first-row-alone",
     "You return within the loop, after the first row. Add up all rows, and return behind the loop.",
     kCrossEntropy},
    {"last-row-left-out", "You left out the last row. Loop over all targets.", kCrossEntropy},
    {"no-logarithm",
     "You used the probabilities of the targets. The loss takes their logarithms, or a probability that "
     "is nearly 0 would cost hardly more than one of a half.",
     kCrossEntropy},
    {"softmax-twice",
     "You applied a softmax before the log-softmax, which contains one already. The probabilities are "
     "then taken for scores, and scores between 0 and 1 say little.",
     kCrossEntropy},
    {"scores-for-log-probabilities",
     "You picked the score of the target. A score says nothing before it is compared with the others of "
     "its row: pick from the log-softmax.",
     kCrossEntropy},
    {"log-of-the-mean",
     "You took the mean of the probabilities first, then the logarithm. The mean is over the logarithms.",
     kCrossEntropy},
    {"log-of-a-softmax",
     "You took the logarithm of a softmax. A target 1000 below the largest score has a probability that "
     "is stored as 0, and the loss becomes infinite. Use stable_log_softmax.",
     kLogarithms},
    {"largest-for-target",
     "You took the largest log-probability of each row. The loss asks for that of the target, whichever "
     "is largest.",
     kCrossEntropy},
    {"over-columns",
     "You took the softmax down the columns, over axis 0. The scores that are compared stand in a row.",
     kCrossEntropy},
    {"base-2",
     "You took logarithms to the base 2, so the loss is in bits. Here log is the natural logarithm.",
     kCrossEntropy}};

inline std::vector<Mistake<CrossEntropy>> of_mean_cross_entropy() {
  return slips_of<CrossEntropy>(cross_entropy, kSlipsOfMeanCrossEntropy);
}

using CrossEntropyGradient = std::function<Tensor(const Tensor&, const Tensor&)>;

inline Tensor through_the_probabilities(const Tensor& x, const Tensor& q) {
  const Tensor p = softmax(x), p_bar = -q / (p * x.length(0));
  return p * (p_bar - row_sum(p * p_bar));
}

inline Tensor back_from_the_loss(const Made& made, const Tensor& x, const Tensor& of_q) {
  const std::size_t n = x.length(0);
  const Tensor q =
      made("q-divided-by-its-sum") ? of_q / where(greater(row_sum(of_q), 0), row_sum(of_q), 1) : of_q * 1;
  if (made("through-the-probabilities")) return through_the_probabilities(x, q);
  const Tensor p = made("log-probabilities")          ? log_softmax(x)
                   : made("softmax-over-columns")     ? softmax(x, 0)
                   : made("scores-for-probabilities") ? x
                   : made("powers-for-probabilities") ? exp(x)
                                                      : softmax(x);
  const Tensor total = made("sum-of-q-left-out")      ? Tensor(1)
                       : made("one-sum-for-all-rows") ? sum(q)
                       : made("sum-over-columns")     ? sum(q, {0}, true)
                       : made("mean-of-q")            ? mean(q, {-1}, true)
                       : made("q-times-p")            ? q
                       : made("sum-of-q-lies-down")   ? sum(q, {-1})
                       : made("largest-of-q")         ? max(q, {-1}, true)
                                                      : row_sum(q);
  const Tensor divisor = made("not-divided-by-n")          ? Tensor(1)
                         : made("divided-by-n-twice")      ? Tensor(n * n)
                         : made("divided-by-all-numbers")  ? Tensor(x.size())
                         : made("divided-by-V")            ? Tensor(x.length(-1))
                         : made("divided-by-the-sum-of-q") ? sum(q)
                         : made("multiplied-by-n")         ? 1 / Tensor(n)
                                                           : Tensor(n);
  const Tensor first = p * total;
  if (made("sum-over-both")) return (p - q) * total / divisor;
  if (made("whole-number-share") && n > 1) return first * 0;
  Tensor back = made("q-not-subtracted")             ? first / divisor
                : made("q-alone")                    ? -q / divisor
                : made("q-added")                    ? (first + q) / divisor
                : made("divided-before-subtracting") ? first / divisor - q
                                                     : (first - q) / divisor;
  return made("wrong-sign") ? -back : back;
}

inline const std::vector<grader::Slip> kSlipsOfCrossEntropyGradient = {
    {"sum-of-q-left-out",
     "You used the text's formula, probability minus target. It holds where a row of q sums to 1. Each "
     "term -q_j log p_j contains log Σ e^x, so the probabilities are multiplied by the row's sum of q.",
     kCrossEntropy},
    {"q-divided-by-its-sum",
     "You divided each row of q by its sum. The loss does not: a row with the sum 2 counts twice, and a "
     "row of zeros not at all.",
     kCrossEntropy},
    {"divided-by-the-sum-of-q",
     "You divided by the sum of all of q. The loss is the mean over the n rows, whatever q contains: "
     "divide by n.",
     kCrossEntropy},
    {"not-divided-by-n",
     "You left out the 1/n. The loss is the mean over n rows, so each row moves it by 1/n of its own "
     "loss.",
     kCrossEntropy},
    {"divided-by-n-twice", "You divided by n twice. The mean contains 1/n once.", kCrossEntropy},
    {"multiplied-by-n", "You multiplied by n. The mean divides by it.", kCrossEntropy},
    {"divided-by-all-numbers",
     "You divided by the count of all logits. The mean is over the rows: divide by their number.",
     kCrossEntropy},
    {"divided-by-V", "You divided by V, the length of a row. The mean is over the n rows.", kCrossEntropy},
    {"whole-number-share",
     "Your gradient is 0 where there is more than one row: 1 / n divides whole numbers in C++, and is 0. "
     "Write 1.0 / n.",
     kCrossEntropy},
    {"q-not-subtracted",
     "You returned the part that comes through log Σ e^x. The score x_j also stands in front of it, in "
     "-q_j (x_j - log Σ e^x): subtract q.",
     kCrossEntropy},
    {"q-alone",
     "You returned -q/n. The probabilities belong there too: a target moves all scores of its row, since "
     "they stand in log Σ e^x.",
     kCrossEntropy},
    {"q-added", "You added q. It is subtracted: the loss contains -q_j x_j.", kCrossEntropy},
    {"divided-before-subtracting",
     "You divided the probabilities by n and then subtracted q. The mean divides q too: subtract first, "
     "then divide.",
     kCrossEntropy},
    {"wrong-sign",
     "Your gradient has the wrong sign. The loss has a minus, -Σ q log p, so the gradient contains -q.",
     kCrossEntropy},
    {"log-probabilities",
     "You multiplied the sum of q by the log-probabilities. The slope of log Σ e^x is the probability: "
     "take exp.",
     kCrossEntropy},
    {"scores-for-probabilities",
     "You multiplied the sum of q by the scores. The slope of log Σ e^x is the probability: take the "
     "softmax.",
     kCrossEntropy},
    {"powers-for-probabilities",
     "You multiplied the sum of q by e^x. The slope of log Σ e^x is the probability: take the softmax, or "
     "give log_softmax_vjp what stable_log_softmax returns.",
     kCrossEntropy},
    {"softmax-over-columns",
     "You took the softmax down the columns, over axis 0. Each row is a softmax of its own.", kCrossEntropy},
    {"q-times-p",
     "You multiplied each number by its own q. A target moves all scores of its row, since all of them "
     "stand in Σ e^x: what multiplies p is the row's sum of q.",
     kCrossEntropy},
    {"through-the-probabilities",
     "You went back through -q/p and the softmax one after the other. Where p is stored as 0 that is 0 · "
     "∞, which is NaN. Start from the log-softmax.",
     kCrossEntropy},
    {"sum-over-both",
     "You multiplied the whole difference by the row's sum of q. Only the probabilities are multiplied by it: p "
     "Σ q - q.",
     kCrossEntropy},
    {"sum-of-q-lies-down",
     "Your row sums of q lie in a row: without `true` sum drops the axis, and the sum of row i meets column i. "
     "Keep the axis: sum(q, {-1}, true).",
     kCrossEntropy},
    {"largest-of-q", "You took the largest q of the row. The probabilities are multiplied by its sum.",
     kCrossEntropy},
    {"mean-of-q", "You took the mean of q over the row. The probabilities are multiplied by its sum.",
     kCrossEntropy},
    {"sum-over-columns",
     "You summed q down the columns, over axis 0. What multiplies p is the row's sum of q.", kCrossEntropy},
    {"one-sum-for-all-rows",
     "You multiplied by the sum of all of q. Each row of q has its own sum: sum(q, {-1}, true).",
     kCrossEntropy}};

inline std::vector<Mistake<CrossEntropyGradient>> of_cross_entropy_gradient() {
  return slips_of<CrossEntropyGradient>(back_from_the_loss, kSlipsOfCrossEntropyGradient);
}

}  // namespace mistakes
