// Lesson 19, solved: a fixed tree, shards of a batch, and workers whose order does not matter.
#include <algorithm>
#include <cmath>
#include <vector>

#include "crew.h"
#include "exercise.h"
#include "headlight/core/math.h"
#include "small_training.h"

double tree_sum(const std::vector<double>& x) {
  std::vector<double> level = x;
  while (level.size() > 1) {
    std::vector<double> next;
    for (std::size_t i = 0; i < level.size(); i += 2)
      next.push_back(i + 1 < level.size() ? level[i] + level[i + 1] : level[i]);
    level = next;
  }
  return level.empty() ? 0 : level[0];
}

std::vector<std::size_t> shard_bounds(std::size_t rows, std::size_t largest) {
  std::vector<std::size_t> bounds{0};
  const std::size_t shards = (rows + largest - 1) / largest;
  for (std::size_t s = 0; s < shards; ++s)
    bounds.push_back(bounds.back() + rows / shards + (s < rows % shards ? 1 : 0));
  return bounds;
}

std::vector<double> batch_gradient(const std::vector<ShardGradient>& arrived) {
  std::vector<ShardGradient> shards = arrived;
  for (const ShardGradient& each : arrived) shards[each.shard] = each;
  std::size_t targets = 0;
  for (const ShardGradient& each : shards) targets += each.targets;
  std::vector<double> mean;
  for (std::size_t j = 0; j < shards[0].gradient.size(); ++j) {
    std::vector<double> numbers;
    for (const ShardGradient& each : shards) numbers.push_back(each.gradient[j]);
    mean.push_back(tree_sum(numbers) / static_cast<double>(targets));
  }
  return mean;
}

std::vector<double> all_shards(Crew& crew) {
  std::size_t next = 0;
  const auto start = [&](std::size_t worker) {
    if (next < crew.shards()) crew.start(worker, next++);
  };
  for (std::size_t worker = 0; worker < crew.workers(); ++worker) start(worker);
  std::vector<ShardGradient> arrived;
  while (arrived.size() < crew.shards()) {
    const Crew::Finished finished = crew.wait();
    arrived.push_back(finished.result);
    start(finished.worker);
  }
  return batch_gradient(arrived);
}

// The first step in which a change by 10^-k changes the loss by more than 0.001.
double first_step_apart(std::size_t k) {
  SmallTraining first(0.03), second(0.03);
  second.first_weight() += 1 / math::power(10.0, k);
  double step = 1;
  while (std::abs(first.step() - second.step()) <= 0.001) ++step;
  return step;
}

std::vector<Trial> steps_until_apart() {
  return {{4, 10, first_step_apart(4)},
          {8, 20, first_step_apart(8)},
          {12, 30, first_step_apart(12)},
          {15, 37, first_step_apart(15)}};
}
