// What people write in the place of parts 4 and 5 of exercise 15, and what is wrong with it.
#pragma once

#include <functional>
#include <vector>

#include "exercise.h"
#include "grader/part.h"
#include "headlight/core/math.h"
#include "mistakes.h"

namespace mistakes {

using MeanKl = double (*)(const Array&, const Array&);
using Distances = std::vector<double> (*)(const std::vector<int>&, const Array&);

// The sum of a term over all numbers of two tables.
inline double summed(const Array& p, const Array& q, const std::function<double(double p, double q)>& term) {
  double total = 0;
  for (std::size_t t = 0; t < p.shape()[0]; ++t)
    for (std::size_t j = 0; j < p.shape()[1]; ++j) total += term(p(t, j), q(t, j));
  return total;
}
inline double rows(const Array& p) { return static_cast<double>(p.shape()[0]); }
inline double columns(const Array& p) { return static_cast<double>(p.shape()[1]); }

inline double small_added(const Array& p, const Array& q, double small) {
  return summed(p, q, [small](double a, double b) { return a * math::log((a + small) / (b + small)); }) /
         rows(p);
}

inline constexpr const char* kSmall =
    "You add a small number inside the logarithm. That changes every term a little. Leave out the terms in "
    "which p_j is 0: no small number is needed.";

inline const std::vector<Mistake<MeanKl>> kOfMeanKl = {
    {"p-and-q-exchanged",
     "You computed KL(q, p). The weights are those of p, the truth: Σ p_j log(p_j / q_j). KL is not the same "
     "both ways.",
     kKl, [](const Array& p, const Array& q) { return solution::mean_kl(q, p); }},
    {"zeros-give-NaN",
     "Where p_j is 0, your term is 0 · log 0, which is NaN on a machine. Such a term is 0: leave it out.",
     kKl,
     [](const Array& p, const Array& q) {
       return summed(p, q, [](double a, double b) { return a * math::log(a / b); }) / rows(p);
     }},
    {"log-base-2",
     "You took the logarithm with base 2, which counts in bits. The losses here have the natural logarithm: "
     "math::log.",
     kKl, [](const Array& p, const Array& q) { return solution::mean_kl(p, q) / math::log(2); }},
    {"mean-over-the-states",
     "You took the mean over j too. KL is a sum over j: the weights p_j are a mean already. Divide by the "
     "number of rows only.",
     kKl, [](const Array& p, const Array& q) { return solution::mean_kl(p, q) / columns(p); }},
    {"summed-over-the-rows", "You return the sum over all rows. Divide it by their number, p.shape()[0].",
     kKl, [](const Array& p, const Array& q) { return solution::mean_kl(p, q) * rows(p); }},
    {"divided-by-the-columns",
     "You divide the sum by the number of columns. The mean is over the rows: p.shape()[0].", kKl,
     [](const Array& p, const Array& q) { return solution::mean_kl(p, q) * rows(p) / columns(p); }},
    {"loss-for-KL",
     "You computed -Σ p_j log q_j, the loss of q. KL is what remains when the loss of p itself is "
     "subtracted: Σ p_j log(p_j / q_j).",
     kKl,
     [](const Array& p, const Array& q) {
       return summed(p, q, [](double a, double b) { return a > 0 ? -a * math::log(b) : 0; }) / rows(p);
     }},
    {"wrong-sign", "Your KL is negative. It is log(p_j / q_j), not log(q_j / p_j), or minus one of them.",
     kKl, [](const Array& p, const Array& q) { return -solution::mean_kl(p, q); }},
    {"no-weights",
     "You add up log(p_j / q_j) without the weights p_j. What is likely must count more: p_j log(p_j / q_j).",
     kKl,
     [](const Array& p, const Array& q) {
       return summed(p, q, [](double a, double b) { return a > 0 ? math::log(a / b) : 0; }) / rows(p);
     }},
    {"1e-6-in-the-log", kSmall, kKl, [](const Array& p, const Array& q) { return small_added(p, q, 1e-6); }},
    {"1e-8-in-the-log", kSmall, kKl, [](const Array& p, const Array& q) { return small_added(p, q, 1e-8); }},
    {"1e-9-in-the-log", kSmall, kKl, [](const Array& p, const Array& q) { return small_added(p, q, 1e-9); }}};

inline Array probabilities(const Array& logits) { return softmax(Tensor(logits)).array(); }
inline Array even(const Array& logits) {
  return full({logits.shape()[0], logits.shape()[1]}, 1 / columns(logits)).array();
}

inline std::vector<double> between(const std::vector<int>& tokens, const Array& logits, const Array& model,
                                   MeanKl kl = solution::mean_kl) {
  const std::size_t k = logits.shape()[1];
  return {kl(even(logits), model), kl(solution::unigram_prediction(tokens, k), model),
          kl(solution::context_prediction(tokens, k, 1), model)};
}

// Rows first … first+count-1.
inline Array some_rows(const Array& p, std::size_t first, std::size_t count) {
  return table(count, p.shape()[1], [&](std::size_t t, std::size_t j) { return p(first + t, j); });
}

inline const std::vector<Mistake<Distances>> kOfDistances = {
    {"logits-for-probabilities",
     "You compare with the logits as they are. They are no probabilities, and where they are 0 or negative "
     "the logarithm is infinite or NaN. softmax turns each row into probabilities.",
     kKl,
     [](const std::vector<int>& tokens, const Array& logits) { return between(tokens, logits, logits); }},
    {"exp-for-softmax",
     "You take e^x of the logits, but do not divide by the sum of the row. So the rows do not add up to 1.",
     kKl,
     [](const std::vector<int>& tokens, const Array& logits) {
       return between(tokens, logits, exp(Tensor(logits)).array());
     }},
    {"softmax-down-the-columns",
     "Your softmax goes down the columns, over positions. Each row is one prediction: softmax over the last "
     "axis.",
     kKl,
     [](const std::vector<int>& tokens, const Array& logits) {
       return between(tokens, logits, softmax(Tensor(logits), 0).array());
     }},
    {"softmax-twice", "You apply softmax twice. The second one makes all predictions nearly equal.", kKl,
     [](const std::vector<int>& tokens, const Array& logits) {
       return between(tokens, logits, probabilities(probabilities(logits)));
     }},
    {"model-first",
     "You computed KL(model, strategy). The strategy comes first: it takes the part of the truth, and KL "
     "says what the model loses against it.",
     kKl,
     [](const std::vector<int>& tokens, const Array& logits) {
       return between(tokens, logits, probabilities(logits),
                      [](const Array& p, const Array& q) { return solution::mean_kl(q, p); });
     }},
    {"the-other-order", "Your three numbers are in the wrong order: uniform, unigram, bigram.", kThree,
     [](const std::vector<int>& tokens, const Array& logits) {
       std::vector<double> all = solution::distances(tokens, logits);
       return std::vector<double>(all.rbegin(), all.rend());
     }},
    {"unigram-and-bigram-exchanged",
     "Your second number is that of the bigrams, your third that of the unigrams.", kThree,
     [](const std::vector<int>& tokens, const Array& logits) {
       const std::vector<double> all = solution::distances(tokens, logits);
       return std::vector<double>{all[0], all[2], all[1]};
     }},
    {"even-over-positions",
     "Your uniform prediction is 1/n. There are k states, so each has 1/k. n is the number of positions.",
     kThree,
     [](const std::vector<int>& tokens, const Array& logits) {
       std::vector<double> all = solution::distances(tokens, logits);
       const Array one_of_n = full({logits.shape()[0], logits.shape()[1]}, 1 / rows(logits)).array();
       all[0] = solution::mean_kl(one_of_n, probabilities(logits));
       return all;
     }},
    {"last-position-alone",
     "You compare at the last position only. The mean over all positions is asked for.", kKl,
     [](const std::vector<int>& tokens, const Array& logits) {
       const std::size_t last = tokens.size() - 1, k = logits.shape()[1];
       const Array model = some_rows(probabilities(logits), last, 1);
       return std::vector<double>{
           solution::mean_kl(some_rows(even(logits), last, 1), model),
           solution::mean_kl(some_rows(solution::unigram_prediction(tokens, k), last, 1), model),
           solution::mean_kl(some_rows(solution::context_prediction(tokens, k, 1), last, 1), model)};
     }},
    {"one-position-late",
     "You compare the model's row t with the strategies' row t + 1. Both predict the same token in the same "
     "row, so nothing has to be moved.",
     kThree,
     [](const std::vector<int>& tokens, const Array& logits) {
       const std::size_t n = tokens.size(), k = logits.shape()[1], count = n > 1 ? n - 1 : 1,
                         first = n - count;
       const Array model = some_rows(probabilities(logits), 0, count);
       return std::vector<double>{
           solution::mean_kl(some_rows(even(logits), first, count), model),
           solution::mean_kl(some_rows(solution::unigram_prediction(tokens, k), first, count), model),
           solution::mean_kl(some_rows(solution::context_prediction(tokens, k, 1), first, count), model)};
     }},
    {"sums-over-positions", "Your numbers are sums over the positions. Means are asked for, as in part 4.",
     kKl, [](const std::vector<int>& tokens, const Array& logits) {
       std::vector<double> all = solution::distances(tokens, logits);
       for (double& each : all) each *= rows(logits);
       return all;
     }}};

}  // namespace mistakes
