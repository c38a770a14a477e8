// What people write in the place of each part, and what is wrong with it.
#pragma once

#include <utility>
#include <vector>

#include "exercise.h"
#include "grader/part.h"
#include "layer_norm_gradients.h"

namespace mistakes {

using grader::Mistake;

inline constexpr const char *kLarge = "Overflow at 1000, and scores of −∞",
                            *kLogarithms = "Logarithms: log-sum-exp and log-softmax",
                            *kBackThroughSoftmax = "The backward pass of softmax and log-softmax",
                            *kCrossEntropy = "Cross-entropy", *kNorms = "RMS norm and layer norm",
                            *kBackThroughNorms = "The backward pass of a norm";

inline Tensor row_sum(const Tensor& x) { return sum(x, {-1}, true); }
inline Tensor row_mean(const Tensor& x) { return mean(x, {-1}, true); }
inline Tensor row_max(const Tensor& x) { return max(x, {-1}, true); }
inline Tensor row_var(const Tensor& x) { return var(x, {-1}, true); }

using LogSoftmax = Tensor (*)(const Tensor&);

inline constexpr const char* kSmallNumber =
    "You added a small number before the logarithm. Then no result falls below the logarithm of that "
    "number. A score that lies 1000 below the largest looks like one that lies 20 below.";

inline const std::vector<Mistake<LogSoftmax>> kOfStableLogSoftmax = {
    {"no-maximum",
     "You took e^x of the scores as they are. At x = 1000 that is infinite. Subtract the largest score of "
     "the row first.",
     kLarge, [](const Tensor& x) { return x - log(row_sum(exp(x))); }},
    {"softmax-by-the-book",
     "You divided e^x by its sum and took the logarithm. At x = 1000 that is ∞/∞, which is NaN, and at "
     "-1000 it is 0/0. Subtract the largest score of the row first, and the logarithm of the sum last.",
     kLarge, [](const Tensor& x) { return log(exp(x) / row_sum(exp(x))); }},
    {"log-of-a-softmax",
     "You computed the softmax and then took its logarithm. A probability of e^-1000 is stored as 0, and "
     "log 0 is -∞. Take the logarithm before anything is divided.",
     kLogarithms, [](const Tensor& x) { return log(softmax(x)); }},
    {"1e-8-in-the-log", kSmallNumber, kLogarithms, [](const Tensor& x) { return log(softmax(x) + 1e-8); }},
    {"1e-9-in-the-log", kSmallNumber, kLogarithms, [](const Tensor& x) { return log(softmax(x) + 1e-9); }},
    {"1e-12-in-the-log", kSmallNumber, kLogarithms, [](const Tensor& x) { return log(softmax(x) + 1e-12); }},
    {"one-maximum-for-all-rows",
     "You subtracted the largest number of all rows. In a row far below it every e^x becomes 0, and log 0 "
     "is -∞. Each row needs its own maximum: max(x, {-1}, true).",
     kLarge,
     [](const Tensor& x) {
       const Tensor shifted = x - max(x);
       return shifted - log(row_sum(exp(shifted)));
     }},
    {"maximum-subtracted-once",
     "You subtracted the maximum inside the sum, but not from the x in front of it. Subtract it in both "
     "places, or add it to the logarithm again.",
     kLogarithms, [](const Tensor& x) { return x - log(row_sum(exp(x - row_max(x)))); }},
    {"no-logarithm", "You returned the softmax. Its logarithm is asked for.", kLogarithms,
     [](const Tensor& x) { return softmax(x); }},
    {"over-columns",
     "You summed down the columns, over axis 0. The numbers that belong together stand in a row, along the "
     "last axis: -1.",
     kLogarithms, [](const Tensor& x) { return log_softmax(x, 0); }},
    {"axis-1-for-the-last",
     "You used axis 1. That is the last axis of a matrix only; -1 is the last axis of any tensor.",
     kLogarithms, [](const Tensor& x) { return log_softmax(x, 1); }},
    {"one-sum-for-all-rows",
     "You summed over all numbers of x. Each row is a softmax of its own: sum along the last axis.",
     kLogarithms,
     [](const Tensor& x) {
       const Tensor shifted = x - row_max(x);
       return shifted - log(sum(exp(shifted)));
     }},
};

using LogSoftmaxVjp = Tensor (*)(const Tensor&, const Tensor&);

inline const std::vector<Mistake<LogSoftmaxVjp>> kOfLogSoftmaxVjp = {
    {"through-x-only",
     "You let g through unchanged. x also stands in log Σ e^x, and that way leads back to every score of "
     "the row.",
     kBackThroughSoftmax, [](const Tensor& g, const Tensor&) { return g * 1; }},
    {"softmax's-own-vjp",
     "You wrote the backward pass of a softmax. Here y is the logarithm of one: the sum is over g alone, and "
     "only that sum is multiplied by the probabilities.",
     kBackThroughSoftmax,
     [](const Tensor& g, const Tensor& y) { return exp(y) * (g - row_sum(exp(y) * g)); }},
    {"y-for-the-probabilities",
     "You multiplied by y, the log-probabilities. The slope of log Σ e^x is the probability, e^y.",
     kBackThroughSoftmax, [](const Tensor& g, const Tensor& y) { return g - y * row_sum(g); }},
    {"g-times-y-in-the-sum",
     "You subtracted Σ g⊙y from each number. What belongs there is Σ g, times the probability e^y.",
     kBackThroughSoftmax, [](const Tensor& g, const Tensor& y) { return g - row_sum(g * y); }},
    {"sum-of-g-left-out",
     "You subtracted the probabilities as they are. They must be multiplied by the sum of g over the row. "
     "The sum is 1 only for some g.",
     kBackThroughSoftmax, [](const Tensor& g, const Tensor& y) { return g - exp(y); }},
    {"plus-for-minus", "You added the part that comes back through log Σ e^x. It stands behind a minus.",
     kBackThroughSoftmax, [](const Tensor& g, const Tensor& y) { return g + exp(y) * row_sum(g); }},
    {"mean-for-sum",
     "You took the mean of g over the row. All numbers of y contain the same log Σ e^x, so their cotangents "
     "add up.",
     kBackThroughSoftmax, [](const Tensor& g, const Tensor& y) { return g - exp(y) * row_mean(g); }},
    {"one-sum-for-all-rows",
     "You summed g over all rows. A row has a log Σ e^x of its own: sum along the last axis only.",
     kBackThroughSoftmax, [](const Tensor& g, const Tensor& y) { return g - exp(y) * sum(g); }},
    {"over-columns",
     "You summed g down the columns, over axis 0. The numbers that share a log Σ e^x stand in one row: use "
     "axis -1.",
     kBackThroughSoftmax, [](const Tensor& g, const Tensor& y) { return g - exp(y) * sum(g, {0}, true); }},
};

using CrossEntropy = double (*)(const Tensor&, const IntArray&);

inline std::size_t length(const IntArray& targets) { return targets.size(); }

// x[i, targets(i)] for each row i.
inline Tensor picked(const Tensor& x, const IntArray& targets) {
  std::vector<Real> numbers;
  for (std::size_t i = 0; i < length(targets); ++i) numbers.push_back(x.array()(i, targets(i)));
  return tensor(numbers, {length(targets)});
}

inline const std::vector<Mistake<CrossEntropy>> kOfMeanCrossEntropy = {
    {"sum-for-mean", "You added up the rows. Divide by their number.", kCrossEntropy,
     [](const Tensor& x, const IntArray& t) { return -sum(picked(log_softmax(x), t)).item(); }},
    {"no-minus",
     "You left out the minus. A log-probability is at most 0, and the loss is its negative: 0 at best.",
     kCrossEntropy,
     [](const Tensor& x, const IntArray& t) { return mean(picked(log_softmax(x), t)).item(); }},
    {"mean-over-all-numbers",
     "You divided by the count of all numbers. Only one number of each row counts: divide by the number of "
     "rows.",
     kCrossEntropy,
     [](const Tensor& x, const IntArray& t) {
       return -sum(picked(log_softmax(x), t)).item() / static_cast<double>(x.size());
     }},
    {"no-logarithm",
     "You used the probabilities of the targets. The loss takes their logarithms, or a probability that is "
     "nearly 0 would cost hardly more than one of a half.",
     kCrossEntropy, [](const Tensor& x, const IntArray& t) { return -mean(picked(softmax(x), t)).item(); }},
    {"softmax-twice",
     "You applied a softmax before the log-softmax, which contains one already. The probabilities are then "
     "taken for scores, and scores between 0 and 1 say little.",
     kCrossEntropy,
     [](const Tensor& x, const IntArray& t) { return -mean(picked(log_softmax(softmax(x)), t)).item(); }},
    {"scores-for-log-probabilities",
     "You picked the score of the target. A score says nothing before it is compared with the others of its "
     "row: pick from the log-softmax.",
     kCrossEntropy, [](const Tensor& x, const IntArray& t) { return -mean(picked(x, t)).item(); }},
    {"log-of-the-mean",
     "You took the mean of the probabilities first, then the logarithm. The mean is over the logarithms.",
     kCrossEntropy,
     [](const Tensor& x, const IntArray& t) { return -log(mean(picked(softmax(x), t))).item(); }},
    {"log-of-a-softmax",
     "You took the logarithm of a softmax. A target 1000 below the largest score has a probability that is "
     "stored as 0, and the loss becomes infinite. Use stable_log_softmax.",
     kLogarithms,
     [](const Tensor& x, const IntArray& t) { return -mean(log(picked(softmax(x), t))).item(); }},
    {"largest-for-target",
     "You took the largest log-probability of each row. The loss asks for that of the target, whichever is "
     "largest.",
     kCrossEntropy, [](const Tensor& x, const IntArray&) { return -mean(max(log_softmax(x), {-1})).item(); }},
    {"base-2",
     "You took logarithms to the base 2, so the loss is in bits. Here log is the natural logarithm.",
     kCrossEntropy,
     [](const Tensor& x, const IntArray& t) {
       return -mean(picked(log_softmax(x), t)).item() / log(Tensor(2)).item();
     }},
};

using CrossEntropyGradient = Tensor (*)(const Tensor&, const Tensor&);

inline std::size_t rows(const Tensor& x) { return x.length(0); }

// n times the gradient.
inline Tensor of_the_sum(const Tensor& x, const Tensor& q) { return softmax(x) * row_sum(q) - q; }

inline const std::vector<Mistake<CrossEntropyGradient>> kOfCrossEntropyGradient = {
    {"sum-of-q-left-out",
     "You used the text's formula, probability minus target. It holds where a row of q sums to 1. Each term "
     "-q_j log p_j contains log Σ e^x, so the probabilities are multiplied by the row's sum of q.",
     kCrossEntropy, [](const Tensor& x, const Tensor& q) { return (softmax(x) - q) / rows(x); }},
    {"q-divided-by-its-sum",
     "You divided each row of q by its sum. The loss does not: a row with the sum 2 counts twice, and a row "
     "of zeros not at all.",
     kCrossEntropy,
     [](const Tensor& x, const Tensor& q) {
       return (softmax(x) - q / where(greater(row_sum(q), 0), row_sum(q), 1)) / rows(x);
     }},
    {"divided-by-the-sum-of-q",
     "You divided by the sum of all of q. The loss is the mean over the n rows, whatever q contains: divide "
     "by n.",
     kCrossEntropy, [](const Tensor& x, const Tensor& q) { return of_the_sum(x, q) / sum(q); }},
    {"not-divided-by-n",
     "You left out the 1/n. The loss is the mean over n rows, so each row moves it by 1/n of its own loss.",
     kCrossEntropy, of_the_sum},
    {"divided-by-n-twice", "You divided by n twice. The mean contains 1/n once.", kCrossEntropy,
     [](const Tensor& x, const Tensor& q) { return of_the_sum(x, q) / (rows(x) * rows(x)); }},
    {"divided-by-all-numbers",
     "You divided by the count of all logits. The mean is over the rows: divide by their number.",
     kCrossEntropy, [](const Tensor& x, const Tensor& q) { return of_the_sum(x, q) / x.size(); }},
    {"q-not-subtracted",
     "You returned the part that comes through log Σ e^x. The score x_j also stands in front of it, in "
     "-q_j (x_j - log Σ e^x): subtract q.",
     kCrossEntropy, [](const Tensor& x, const Tensor& q) { return softmax(x) * row_sum(q) / rows(x); }},
    {"divided-before-subtracting",
     "You divided the probabilities by n and then subtracted q. The mean divides q too: subtract first, then "
     "divide.",
     kCrossEntropy, [](const Tensor& x, const Tensor& q) { return softmax(x) * row_sum(q) / rows(x) - q; }},
    {"wrong-sign",
     "Your gradient has the wrong sign. The loss has a minus, -Σ q log p, so the gradient contains -q.",
     kCrossEntropy, [](const Tensor& x, const Tensor& q) { return -of_the_sum(x, q) / rows(x); }},
    {"log-probabilities",
     "You multiplied the sum of q by the log-probabilities. The slope of log Σ e^x is the probability: take "
     "exp.",
     kCrossEntropy,
     [](const Tensor& x, const Tensor& q) { return (log_softmax(x) * row_sum(q) - q) / rows(x); }},
    {"q-times-p",
     "You multiplied each number by its own q. A target moves all scores of its row, since all of them stand "
     "in Σ e^x: what multiplies p is the row's sum of q.",
     kCrossEntropy, [](const Tensor& x, const Tensor& q) { return q * (softmax(x) - 1) / rows(x); }},
    {"through-the-probabilities",
     "You went back through -q/p and the softmax one after the other. Where p is stored as 0 that is 0 · ∞, "
     "which is NaN. Start from the log-softmax.",
     kCrossEntropy,
     [](const Tensor& x, const Tensor& q) {
       const Tensor p = softmax(x), p_bar = -q / (p * rows(x));
       return p * (p_bar - row_sum(p * p_bar));
     }},
    {"one-sum-for-all-rows",
     "You multiplied by the sum of all of q. Each row of q has its own sum: sum(q, {-1}, true).",
     kCrossEntropy, [](const Tensor& x, const Tensor& q) { return (softmax(x) * sum(q) - q) / rows(x); }},
};

}  // namespace mistakes
