// Lesson 11, solved: the copy task, a fair test of it, a score for heads, and two ways to solve it without
// matching.
#include <algorithm>
#include <map>

#include "07_scaled_dot_product_attention/kept.h"
#include "exercise.h"
#include "headlight/core/rng.h"
#include "headlight/tasks/task.h"

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

double previous_token_score(const Tensor& pattern) {
  const std::size_t n = pattern.length(0);
  double weight = 0;
  for (std::size_t i = 1; i < n; ++i) weight += pattern.array()(i, i - 1);
  return weight / static_cast<double>(n - 1);
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

std::vector<std::int32_t> unseen_for_longest(const std::vector<std::int32_t>& tokens) {
  std::map<std::int32_t, std::size_t> seen;  // where each token was last
  std::vector<std::int32_t> answers;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    seen[tokens[i]] = i;
    const auto earlier = [](const auto& a, const auto& b) { return a.second < b.second; };
    answers.push_back(std::min_element(seen.begin(), seen.end(), earlier)->first);
  }
  return answers;
}
