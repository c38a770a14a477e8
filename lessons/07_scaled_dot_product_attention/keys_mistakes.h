// Wrong ways to measure the largest weight among so many keys.
#pragma once

#include "grader/trials.h"
#include "mistakes.h"

namespace mistakes {

inline Tensor pattern_of_keys(const Made& made, const Tensor& q, const Tensor& k) {
  const Tensor scores = matmul(q, transpose(k));
  const double divisor = made("unscaled")          ? 1
                         : made("divided-by-64")   ? 64
                         : made("multiplied-by-8") ? 1.0 / 8
                         : made("root-of-m")       ? root_of(k.length(0))
                                                   : 8;
  if (made("no-softmax")) return scores / divisor;
  return softmax(scores / divisor, made("softmax-over-queries") ? 0 : -1);
}

inline double weight_with_slips(const Made& made, Rng& rng, std::size_t m) {
  Tensor q = made("keys-first") ? Tensor() : randn({made("one-query") ? std::size_t{1} : 200, 64}, rng);
  const Tensor k = randn({m, 64}, rng);
  if (!q.defined()) q = randn({200, 64}, rng);
  const Tensor pattern = pattern_of_keys(made, made("keys-for-queries") ? k : q, k);
  if (made("mean-of-all-weights")) return mean(pattern).item();
  if (made("largest-of-all")) return max(pattern).item();
  const int axis = made("largest-over-queries") ? 0 : -1;
  const Tensor largest = made("smallest") ? -max(-pattern, {axis}) : max(pattern, {axis});
  if (made("smallest-of-the-largest")) return -max(-largest).item();
  if (made("first-query")) return largest.array()(0);
  return made("sum-for-mean") ? sum(largest).item() : mean(largest).item();
}

inline std::vector<double> weights_with_slips(const Made& made, const std::vector<double>& numbers_of_keys) {
  std::vector<double> all;
  Rng rng(7);
  for (const double m : numbers_of_keys) {
    if (!made("rng-kept")) rng = Rng(made("another-seed") ? 1 : 7);
    all.push_back(weight_with_slips(made, rng, static_cast<std::size_t>(m)));
  }
  return all;
}

inline std::vector<grader::WrongMeasure> of_with_more_keys() {
  return grader::wrong_measures(
      weights_with_slips,
      {{"unscaled", "You did not divide the scores by √d_k. Use scaled_scores."},
       {"mean-of-all-weights",
        "You measured the mean of all weights. Each row sums to 1, so that is 1/m, whatever the scores are. Take "
        "the largest weight of each row first."},
       {"largest-over-queries",
        "You took the largest weight of each key, over the queries. Take the largest of each query's row: axis "
        "-1."},
       {"largest-of-all",
        "You took the largest weight of all. Take the largest of each row, and their mean."},
       {"smallest", "You took the smallest weight of each row. Take the largest."},
       {"smallest-of-the-largest", "You took the smallest of the 200 largest weights. Take their mean."},
       {"first-query", "You measured the first query only. Take the mean over all 200."},
       {"sum-for-mean", "You added up the largest weights of the 200 queries. Take their mean."},
       {"softmax-over-queries",
        "Your softmax goes over the queries. The weights of a query sum to 1: axis -1."},
       {"no-softmax", "You measured the largest score. The weights come out of the softmax."},
       {"divided-by-64", "You divided the scores by d_k = 64. Divide by its root."},
       {"multiplied-by-8", "You multiplied the scores by √d_k. Divide by it."},
       {"root-of-m", "You divided the scores by √m. Divide by √d_k, whatever m is."},
       {"keys-first",
        "You drew the keys before the queries. The exercise draws q first, so that its numbers are others."},
       {"keys-for-queries", "You compared the keys with each other. The queries are compared with the keys."},
       {"one-query", "You drew one query. Draw 200: randn({200, 64}, rng)."},
       {"rng-kept",
        "Each trial begins with a new Rng rng(7). Yours goes on drawing from where the trial before ended."},
       {"another-seed", "Your seed is 1. The exercise draws with Rng rng(7)."}});
}

}  // namespace mistakes
