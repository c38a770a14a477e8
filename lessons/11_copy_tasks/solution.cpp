// Lesson 11, solved: the copy task, its best reachable loss, a fair test of it, two ways to solve it without
// matching, and an experiment.
#include <algorithm>

#include "07_scaled_dot_product_attention/kept.h"
#include "exercise.h"
#include "headlight/core/math.h"
#include "headlight/core/rng.h"
#include "headlight/tasks/task.h"
#include "two_periods.h"

tasks::Sequence repeated_sequence(std::size_t n, std::size_t V, const std::vector<std::size_t>& periods,
                                  Rng& rng) {
  const std::size_t period = periods[rng.below(periods.size())];
  const std::vector<std::int32_t> segment = rng.distinct(period, V);
  tasks::Sequence s;
  for (std::size_t i = 0; i < n; ++i) {
    s.tokens.push_back(segment[i % period]);
    s.targets.push_back(segment[(i + 1) % period]);
    s.predictable.push_back(i >= period);
  }
  return s;
}

std::vector<double> best_losses(std::size_t n, std::size_t V, const std::vector<std::size_t>& periods,
                                std::size_t period) {
  std::vector<double> losses(n, 0);
  for (std::size_t read = 1; read <= std::min(n, period); ++read) {  // tokens, all different so far
    double possible = 0, longer = 0;                                 // periods
    for (const std::size_t each : periods) possible += each >= read, longer += each > read;
    const double p = read == period ? 1 / possible : longer / possible / static_cast<double>(V - read);
    losses[read - 1] = -math::log(p);
  }
  return losses;
}

std::vector<std::size_t> fair_periods(const std::vector<std::size_t>& trained, std::size_t n, std::size_t V) {
  std::vector<std::size_t> fair;
  for (std::size_t period = 1; period <= std::min(V, n - 1); ++period) {
    bool counted = false;
    for (const std::size_t T : trained)
      for (std::size_t copies = T; copies <= n; copies += T) counted = counted || copies % period == 0;
    if (!counted) fair.push_back(period);
  }
  return fair;
}

Tensor counting_head(const std::vector<std::int32_t>& tokens, std::size_t V, std::size_t period) {
  const std::size_t n = tokens.size(), back = period - 1;
  Array scores = zeros({n, n}).array(), one_hot = zeros({n, V}).array();
  for (std::size_t i = 0; i < n; ++i) {
    if (i >= back) scores(i, i - back) = 20;
    one_hot(i, static_cast<std::size_t>(tokens[i])) = 1;
  }
  const Tensor hidden = 1 - lesson_07::causal_mask_of(n, n);
  return matmul(softmax(Tensor(scores) - 1e9 * hidden, -1), Tensor(one_hot));
}

// Each key has twice the weight of the one before it. So it outweighs all keys before it together.
Tensor fading_pattern(std::size_t n) {
  Array pattern = zeros({n, n}).array();
  for (std::size_t i = 0; i < n; ++i) {
    double weight = 1, all = 0;
    for (std::size_t j = 0; j <= i; ++j, weight *= 2) pattern(i, j) = weight, all += weight;
    for (std::size_t j = 0; j <= i; ++j) pattern(i, j) /= all;
  }
  return Tensor(pattern);
}

// The farther apart the periods are, the less will counting help: so it seems.
std::vector<Trial> two_periods() {
  std::vector<Trial> trials;
  for (const auto& [period, expected] : {std::pair{8, 0.1}, {11, 0.5}, {14, 0.8}})
    trials.push_back({double(period), expected, accuracy_with_gaps(std::size_t(period))});
  return trials;
}
