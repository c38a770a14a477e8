// What people get wrong in part 3 of exercise 19: the gradient of a batch.
#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include "crew.h"
#include "grader/slips.h"
#include "mistakes.h"

namespace mistakes {

using Arrived = std::vector<ShardGradient>;
using BatchGradient = std::function<Numbers(const Arrived&)>;

inline Arrived in_order(const Made& made, Arrived shards) {
  const auto by = [&](auto key) {
    std::stable_sort(shards.begin(), shards.end(),
                     [&](const ShardGradient& a, const ShardGradient& b) { return key(a) < key(b); });
  };
  if (!made("order-of-arrival")) by([](const ShardGradient& each) { return each.shard; });
  if (made("fewest-targets-first")) by([](const ShardGradient& each) { return each.targets; });
  if (made("last-shard-first")) std::reverse(shards.begin(), shards.end());
  if (made("without-targets-left-out"))
    std::erase_if(shards, [](const ShardGradient& each) { return each.targets == 0; });
  if (made("last-one-left-out") && shards.size() > 1) shards.pop_back();
  if (made("first-one-left-out") && shards.size() > 1) shards.erase(shards.begin());
  return shards;
}

inline double divisor_of(const Made& made, const Arrived& shards) {
  if (made("not-divided") || made("sum-of-means") || made("sum-of-means-NaN")) return 1;
  if (made("mean-of-means") || made("mean-of-means-NaN") || made("divided-by-the-shards"))
    return static_cast<double>(shards.size());
  if (made("targets-of-the-last-one"))
    return static_cast<double>(std::max<std::size_t>(1, shards.back().targets));
  std::size_t targets = 0;
  for (const ShardGradient& each : shards)
    targets += made("at-least-one-target-each") ? std::max<std::size_t>(1, each.targets) : each.targets;
  if (made("targets-times-shards")) targets *= shards.size();
  return static_cast<double>(targets);
}

// A shard's number as it enters the sum.
inline double number_of(const Made& made, const ShardGradient& shard, std::size_t j, double divisor) {
  const double x = shard.gradient[j], targets = static_cast<double>(shard.targets);
  if (made("mean-of-means") || made("sum-of-means")) return targets > 0 ? x / targets : 0;
  if (made("mean-of-means-NaN") || made("sum-of-means-NaN") || made("divided-twice")) return x / targets;
  if (made("times-its-targets")) return x * targets;
  return made("divided-before-adding") ? x / divisor : x;
}

inline Numbers batch_gradient(const Made& made, const Arrived& arrived) {
  const Arrived shards = in_order(made, arrived);
  const double divisor = divisor_of(made, shards);
  const auto of = [&](const Numbers& numbers) {
    const double sum = made("one-after-the-other") ? in_turn(numbers) : solution::tree_sum(numbers);
    if (made("times-the-reciprocal")) return sum * (1 / divisor);
    return made("divided-before-adding") ? sum : sum / divisor;
  };
  Numbers result;
  if (made("sum-of-each-shard")) {
    for (const ShardGradient& each : shards) result.push_back(of(each.gradient));
    return result;
  }
  for (std::size_t j = 0; j < shards[0].gradient.size(); ++j) {
    Numbers numbers;
    for (const ShardGradient& each : shards) numbers.push_back(number_of(made, each, j, divisor));
    result.push_back(of(numbers));
  }
  return result;
}

inline const std::vector<Slip> kOfBatchGradient = {
    {"order-of-arrival",
     "You add in the order of arrival, which differs from run to run. Put each gradient into the place of "
     "its shard first.",
     kFirst},
    {"one-after-the-other",
     "You add one shard after the other. The sum is that of part 1, in the tree over the shards.", kTree},
    {"last-shard-first", "Your tree runs from the last shard to the first. It begins with shard 0.", kTree},
    {"fewest-targets-first", "You sort by the number of targets. The tree is over the shards, from 0 on.",
     kTree},
    {"without-targets-left-out",
     "You leave out shards without targets. Then the shards behind them move forward in the tree, and the "
     "order of additions depends on the data. A shard keeps its place.",
     kTree},
    {"last-one-left-out", "The last shard is missing in your sum.", kTree},
    {"first-one-left-out", "The first shard is missing in your sum. Shards count from 0.", kTree},
    {"mean-of-means",
     "You take the mean of the shards' means. A shard with few targets then counts as much as one with many. "
     "Add the sums, and divide once by all targets.",
     kTree},
    {"sum-of-means",
     "You divide each shard's gradient by its own targets, and add. Add the sums, and divide once by all "
     "targets.",
     kTree},
    {"mean-of-means-NaN",
     "You take the mean of the shards' means. A shard with few targets then counts as much as one with many, "
     "and one without targets gives 0/0, NaN. Add the sums, and divide once by all targets.",
     kTree},
    {"sum-of-means-NaN",
     "You divide each shard's gradient by its own targets, and add. Without targets that is "
     "0/0, NaN. Add the sums, and divide once by all targets.",
     kTree},
    {"divided-twice",
     "You divide each gradient by its own targets, and their sum by all targets. Without "
     "targets the first of these is 0/0, NaN. Add the sums, and divide once by all targets.",
     kTree},
    {"divided-by-the-shards", "You divide by the number of shards. Divide by the number of all targets.",
     kTree},
    {"not-divided", "You return the gradient of the sum of all losses. Divide by the number of all targets.",
     kTree},
    {"targets-of-the-last-one", "You divide by the targets of one shard. Add up the targets of all.", kTree},
    {"at-least-one-target-each",
     "You count a shard without targets as if it had one. Only the sum over all shards is at least 1.",
     kTree},
    {"targets-times-shards",
     "You divide by the targets and by the number of shards. The number of all targets is enough.", kTree},
    {"times-its-targets",
     "You multiply each gradient by its targets, as if it were that of a mean. It is that of a sum already.",
     kTree},
    {"divided-before-adding",
     "You divide each gradient and then add. These are other roundings. Add first, then divide once.", kTree},
    {"times-the-reciprocal",
     "You multiply by 1 / targets, which is rounded itself, so the last bit may differ. Divide "
     "the sum by the number of targets.",
     kTree},
    {"sum-of-each-shard",
     "You add up the numbers of each shard. Add up the numbers that stand at the same place in all shards.",
     kTree}};

}  // namespace mistakes
