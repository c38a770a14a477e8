// Wrong ways to measure the length of dQ.
#pragma once

#include "grader/trials.h"
#include "mistakes_softmax.h"
#include "random_head.h"

namespace mistakes {

// What a learner takes for the length of the gradient.
inline double length_of(const Made& made, const Tensor& gradient) {
  if (made("sum-of-sizes")) return sum(abs(gradient)).item();
  if (made("largest-number")) return max(abs(gradient)).item();
  const double squares = sum(gradient * gradient).item();
  if (made("mean-of-squares")) return std::sqrt(squares / static_cast<double>(gradient.size()));
  if (made("mean-over-the-queries")) return std::sqrt(squares / static_cast<double>(gradient.length(0)));
  if (made("first-query-alone")) return length_of({}, slice(gradient, 0, 0, 1));
  return made("root-forgotten") ? squares : std::sqrt(squares);
}

inline double length_with_slips(const Made& made, double t) {
  const auto [Q, K, V, dZ] = random_head();
  const double root = 1 / root_of(Q.length(-1)), both = made("root-as-well") ? root * t : t;
  const double in_scores = made("factor-not-in-the-scores")   ? 1
                           : made("root-for-t-in-the-scores") ? root
                           : made("root-in-the-scores")       ? root * t
                                                              : both,
               in_dQ = made("factor-not-in-dQ")   ? 1
                       : made("factor-twice")     ? t * t
                       : made("root-for-t-in-dQ") ? root
                       : made("root-in-dQ")       ? root * t
                       : made("divided-by-t")     ? 1 / t
                                                  : both;
  Tensor S = matmul(Q, transpose(K)) * in_scores;
  if (made("causal-mask")) S = masked_fill(S, !visible_keys(64, 64, {.causal = true}), -INFINITY);
  const Tensor P = made("no-softmax") ? S : softmax(S, made("softmax-over-columns") ? -2 : -1),
               dP = matmul(dZ, transpose(made("keys-in-dP") ? K : V)),
               dS = made("no-way-through-the-softmax")
                        ? dP
                        : through_softmax(made, P, dP, row_sums_of(made, P, dP));
  if (made("length-of-dS")) return length_of(made, dS);
  if (made("length-of-dV")) return length_of(made, matmul(transpose(P), dZ));
  if (made("length-of-dK")) return length_of(made, matmul(transpose(dS), Q) * in_dQ);
  const Tensor right = made("own-factor") ? Q : made("values-in-dQ") ? V : K;
  return length_of(made, matmul(made("dS-transposed-in-dQ") ? transpose(dS) : dS, right) * in_dQ);
}

inline const std::vector<grader::WrongWay> kWaysToMeasure = {
    {"factor-not-in-dQ",
     "You left t out of dQ. It is a factor of every product Q Kᵀ, so it is a factor of the slopes by Q."},
    {"factor-not-in-the-scores",
     "Your scores are Q Kᵀ without t. They are t Q Kᵀ, and the pattern depends on t."},
    {"factor-twice", "The factor t stands in your dQ twice. It is in the scores once."},
    {"divided-by-t", "You divided dQ by t. The scores are multiplied by t, so the slopes by Q are too."},
    {"root-as-well",
     "You divided by √d_k as well. Here t stands in the place of 1/√d_k, and the scores have no other "
     "factor."},
    {"root-in-the-scores",
     "You divided the scores by √d_k. Here t stands in the place of 1/√d_k: the scores are t Q Kᵀ."},
    {"root-in-dQ", "You divided dQ by √d_k. Here t stands in the place of 1/√d_k: dQ is t dS K."},
    {"root-for-t-in-the-scores",
     "Your scores have 1/√d_k in the place of t. They are t Q Kᵀ, and the pattern depends on t."},
    {"root-for-t-in-dQ", "Your dQ has 1/√d_k in the place of t: dQ is t dS K."},
    {"root-forgotten", "You measured the sum of the squares. The length is its root."},
    {"mean-of-squares", "You took the mean of the squares. The length is the root of their sum."},
    {"mean-over-the-queries",
     "You divided the sum of the squares by the number of queries. The length is the root of the sum."},
    {"first-query-alone", "You measured the first row of dQ alone. The length is that of all 64 rows."},
    {"sum-of-sizes",
     "You added the sizes of the numbers. The length is the root of the sum of their squares."},
    {"largest-number",
     "You measured the largest number of dQ. The length is the root of the sum of all squares."},
    {"length-of-dK", "You measured dK. The length of dQ is asked for: t dS K."},
    {"length-of-dS", "You measured dS. The length of dQ is asked for: t dS K."},
    {"length-of-dV", "You measured dV. The length of dQ is asked for: t dS K."},
    {"own-factor",
     "You multiplied dS by Q. The slope of a product by one factor is the other factor: dQ is t dS K."},
    {"values-in-dQ", "You multiplied dS by V. The scores are made of Q and K, so dQ is t dS K."},
    {"keys-in-dP", "You made dP of K. The weights meet the values, so dP is dZ Vᵀ."},
    {"dS-transposed-in-dQ",
     "You transposed dS in dQ. Query i collects from row i of dS, one number from each key: t dS K."},
    {"no-softmax", "Your pattern is the scores themselves. P is the softmax of each row of t Q Kᵀ."},
    {"no-way-through-the-softmax",
     "You took dP for dS. Between them stands the softmax: dS = P ⊙ (dP - rowsum(P ⊙ dP))."},
    {"softmax-over-columns",
     "You took the softmax down the columns, over the queries. A query shares its attention out among the "
     "keys."},
    {"causal-mask", "You hid the later keys. In this experiment there is no mask."}};

inline std::vector<grader::WrongMeasure> of_factor_trials() {
  std::vector<grader::WrongWay> ways = kWaysToMeasure;
  for (const Slip& slip : together(kSlipsOfSoftmax, kSlipsOfRowSums))
    ways.push_back({slip.name, slip.sentence});
  const auto measure = [](const Made& made, const std::vector<double>& factors) {
    std::vector<double> lengths;
    for (const double t : factors) lengths.push_back(length_with_slips(made, t));
    return lengths;
  };
  return grader::wrong_measures(measure, ways);
}

}  // namespace mistakes
