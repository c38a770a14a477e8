// What people write in the place of parts 4 and 5 of exercise 15, and what is wrong with it.
#pragma once

#include "headlight/core/math.h"
#include "mistakes.h"

namespace mistakes {

using MeanKl = std::function<double(const Array&, const Array&)>;
using Distances = std::function<std::vector<double>(const std::vector<int>&, const Array&)>;

inline double term_with(const Made& made, double p, double q) {
  const double small = made("1e-6-in-the-log")   ? 1e-6
                       : made("1e-8-in-the-log") ? 1e-8
                       : made("1e-9-in-the-log") ? 1e-9
                                                 : 0;
  if (made("p-and-q-exchanged") && !made("weights-of-q")) std::swap(p, q);
  if (p <= 0 && small == 0 && !made("zeros-give-NaN")) return 0;
  const double weight = made("no-weights") ? 1 : made("weights-of-q") ? q : p;
  double term = weight * math::log((p + small) / (q + small));
  if (made("loss-for-KL")) term = -weight * math::log(q);
  if (made("entropy-for-KL")) term = weight * math::log(p);
  if (made("no-logarithm")) term = weight * p / q;
  if (made("absolute-terms")) term = std::abs(term);
  return made("wrong-sign") ? -term : term;
}

inline double kl_with(const Made& made, const Array& p, const Array& q) {
  const std::size_t n = p.shape()[0], k = p.shape()[1];
  double total = 0;
  for (std::size_t t = made("first-row-left-out") ? 1 : 0; t < n - (made("last-row-left-out") ? 1 : 0); ++t) {
    if (made("sum-begun-anew")) total = 0;
    if (made("first-row-alone") && t > 0) break;
    for (std::size_t j = made("first-column-left-out") ? 1 : 0;
         j < k - (made("last-column-left-out") ? 1 : 0); ++j) {
      const double term = term_with(made, made("first-row-of-p") ? p(0, j) : p(t, j),
                                    made("first-row-of-q") ? q(0, j) : q(t, j));
      total = made("overwritten") ? term : made("whole-sum") ? std::trunc(total + term) : total + term;
    }
  }
  if (made("log-base-2")) total /= math::log(2);
  const auto rows = static_cast<double>(n), columns = static_cast<double>(k);
  return total / (made("summed-over-the-rows")     ? 1
                  : made("divided-by-the-columns") ? columns
                  : made("divided-by-one-less")    ? rows - 1
                  : made("mean-over-the-states")   ? rows * columns
                                                   : rows);
}

inline constexpr const char* kSmall =
    "You add a small number inside the logarithm. That changes every term a little. Leave out the terms in "
    "which p_j is 0: no small number is needed.";

inline const std::vector<grader::Slip> kSlipsOfMeanKl = {
    {"p-and-q-exchanged",
     "You computed KL(q, p). The weights are those of p, the truth: Σ p_j log(p_j / q_j). KL is not the "
     "same both ways.",
     kKl},
    {"weights-of-q", "Your weights are those of q. They are those of p, the truth: Σ p_j log(p_j / q_j).",
     kKl},
    {"zeros-give-NaN",
     "Where p_j is 0, your term is 0 · log 0, which is NaN on a machine. Such a term is 0: leave it out.",
     kKl},
    {"log-base-2",
     "You took the logarithm with base 2, which counts in bits. The losses here have the natural "
     "logarithm: math::log.",
     kKl},
    {"mean-over-the-states",
     "You took the mean over j too. KL is a sum over j: the weights p_j are a mean already. Divide by the "
     "number of rows only.",
     kKl},
    {"summed-over-the-rows", "You return the sum over all rows. Divide it by their number, p.shape()[0].",
     kKl},
    {"divided-by-the-columns",
     "You divide the sum by the number of columns. The mean is over the rows: p.shape()[0].", kKl},
    {"sum-begun-anew",
     "Your sum begins anew in each row, so that only the last row counts. Set it to 0 once, before the "
     "loops.",
     kKl},
    {"overwritten", "Your sum has the last term only: you wrote `=` where `+=` belongs.", kKl},
    {"whole-sum", "Your sum is a whole number: an int holds it. Take a double.", kKl},
    {"first-row-left-out", "You left out the first row. Count from 0.", kKl},
    {"first-row-alone",
     "You return within the loop, after the first row. Add up all rows, and return behind the loops.", kKl},
    {"last-row-left-out", "You left out the last row.", kKl},
    {"first-column-left-out", "You left out the first column. Count from 0.", kKl},
    {"last-column-left-out", "You left out the last column.", kKl},
    {"divided-by-one-less", "You divide by the number of rows less 1. The mean divides by their number.",
     kKl},
    {"first-row-of-p", "You compare the first row of p with each row of q. Row t has p(t, j).", kKl},
    {"first-row-of-q", "You compare each row of p with the first row of q. Row t has q(t, j).", kKl},
    {"loss-for-KL",
     "You computed -Σ p_j log q_j, the loss of q. KL is what remains when the loss of p itself is "
     "subtracted: Σ p_j log(p_j / q_j).",
     kKl},
    {"entropy-for-KL", "You computed Σ p_j log p_j. The logarithm is that of p_j / q_j.", kKl},
    {"no-logarithm", "You left out the logarithm: Σ p_j log(p_j / q_j).", kKl},
    {"absolute-terms", "You take the absolute value of each term. They keep their signs.", kKl},
    {"wrong-sign", "Your KL is negative. It is log(p_j / q_j), not log(q_j / p_j), or minus one of them.",
     kKl},
    {"no-weights",
     "You add up log(p_j / q_j) without the weights p_j. What is likely must count more: "
     "p_j log(p_j / q_j).",
     kKl},
    {"1e-6-in-the-log", kSmall, kKl},
    {"1e-8-in-the-log", kSmall, kKl},
    {"1e-9-in-the-log", kSmall, kKl}};

inline std::vector<Mistake<MeanKl>> of_mean_kl() { return slips_of<MeanKl>(kl_with, kSlipsOfMeanKl); }

inline Array model_with(const Made& made, const Array& logits) {
  const int axis = made("softmax-down-the-columns") ? 0 : -1;
  if (made("logits-for-probabilities")) return logits;
  if (made("exp-for-softmax")) return exp(Tensor(logits)).array();
  if (made("log-softmax-for-softmax")) return log_softmax(Tensor(logits), axis).array();
  const Tensor once = softmax(Tensor(logits), axis);
  return made("softmax-twice") ? softmax(once).array() : once.array();
}

// Rows first … first+count-1.
inline Array some_rows(const Array& p, std::size_t first, std::size_t count) {
  Array some = zeros({count, p.shape()[1]}).array();
  for (std::size_t t = 0; t < count; ++t)
    for (std::size_t j = 0; j < p.shape()[1]; ++j) some(t, j) = p(first + t, j);
  return some;
}

inline std::vector<double> distances_with(const Made& made, const std::vector<int>& tokens,
                                          const Array& logits) {
  const std::size_t n = tokens.size(), k = logits.shape()[1];
  const Array model = model_with(made, logits),
              even = full({n, k}, 1 / static_cast<double>(made("even-over-positions") ? n : k)).array(),
              unigram = solution::unigram_prediction(tokens, k),
              bigram = solution::context_prediction(tokens, k, made("order-2") ? 2 : 1);
  const auto kl = [&](const Array& strategy) {
    const bool last = made("last-position-alone"), late = made("one-position-late");
    const bool but_first = made("first-position-left-out"), but_last = made("last-position-left-out");
    const std::size_t count = last ? 1 : (late || but_first || but_last) && n > 1 ? n - 1 : n;
    const Array p = some_rows(strategy, but_last ? 0 : n - count, count),
                q = some_rows(model,
                              last        ? n - 1
                              : but_first ? n - count
                                          : 0,
                              count);
    const double mean = made("model-first") ? solution::mean_kl(q, p) : solution::mean_kl(p, q);
    return made("sums-over-positions") ? mean * static_cast<double>(n) : mean;
  };
  std::vector<double> all{kl(made("unigram-for-uniform") ? unigram : even),
                          kl(made("bigram-for-unigram")    ? bigram
                             : made("uniform-for-unigram") ? even
                                                           : unigram),
                          kl(made("unigram-for-bigram") ? unigram : bigram)};
  if (made("the-other-order")) std::ranges::reverse(all);
  if (made("unigram-and-bigram-exchanged")) std::swap(all[1], all[2]);
  if (made("uniform-and-unigram-exchanged")) std::swap(all[0], all[1]);
  if (made("wrong-sign"))
    for (double& each : all) each = -each;
  return all;
}

inline const std::vector<grader::Slip> kSlipsOfDistances = {
    {"logits-for-probabilities",
     "You compare with the logits as they are. They are no probabilities, and where they are 0 or "
     "negative the logarithm is infinite or NaN. softmax turns each row into probabilities.",
     kKl},
    {"exp-for-softmax",
     "You take e^x of the logits, but do not divide by the sum of the row. So the rows do not add up to "
     "1.",
     kKl},
    {"log-softmax-for-softmax",
     "You compare with logarithms of probabilities. mean_kl takes the logarithm itself: give it softmax.",
     kKl},
    {"softmax-down-the-columns",
     "Your softmax goes down the columns, over positions. Each row is one prediction: softmax over the "
     "last axis.",
     kKl},
    {"softmax-twice", "You apply softmax twice. The second one makes all predictions nearly equal.", kKl},
    {"model-first",
     "You computed KL(model, strategy). The strategy comes first: it takes the part of the truth, and KL "
     "says what the model loses against it.",
     kKl},
    {"the-other-order", "Your three numbers are in the wrong order: uniform, unigram, bigram.", kThree},
    {"unigram-and-bigram-exchanged",
     "Your second number is that of the bigrams, your third that of the unigrams.", kThree},
    {"uniform-and-unigram-exchanged",
     "Your first number is that of the unigrams, your second that of the uniform prediction.", kThree},
    {"unigram-for-uniform", "Your first number is that of the unigrams, as your second.", kThree},
    {"uniform-for-unigram", "Your second number is that of the uniform prediction, as your first.", kThree},
    {"bigram-for-unigram", "Your second number is that of the bigrams, as your third.", kThree},
    {"unigram-for-bigram", "Your third number is that of the unigrams, as your second.", kThree},
    {"order-2", "Your bigrams look at two letters. A bigram is a pair: order 1.", kThree},
    {"even-over-positions",
     "Your uniform prediction is 1/n. There are k states, so each has 1/k. n is the number of positions.",
     kThree},
    {"last-position-alone",
     "You compare at the last position only. The mean over all positions is asked for.", kKl},
    {"first-position-left-out", "You leave out the first position. The mean over all positions is asked for.",
     kKl},
    {"last-position-left-out",
     "You leave out the last position. The mean over all positions is asked for: the model predicts there too.",
     kKl},
    {"one-position-late",
     "You compare the model's row t with the strategies' row t + 1. Both predict the same token in the "
     "same row, so nothing has to be moved.",
     kThree},
    {"wrong-sign", "Your numbers have the wrong sign. KL is never below 0.", kKl},
    {"sums-over-positions", "Your numbers are sums over the positions. Means are asked for, as in part 4.",
     kKl}};

inline std::vector<Mistake<Distances>> of_distances() {
  return slips_of<Distances>(distances_with, kSlipsOfDistances);
}

}  // namespace mistakes
