// The checker of exercise 19.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "crew.h"
#include "exercise.h"
#include "grader/experiment.h"
#include "grader/part.h"
#include "headlight/core/math.h"
#include "headlight/core/rng.h"
#include "small_training.h"

// The learner's.
double tree_sum(const std::vector<double>& x);
std::vector<std::size_t> shard_bounds(std::size_t rows, std::size_t largest);
std::vector<double> batch_gradient(const std::vector<ShardGradient>& arrived);
std::vector<double> all_shards(Crew& crew);
std::vector<Trial> steps_until_apart();

namespace solution {
namespace {  // which a learner's file cannot call
#include "solution.cpp"
}
}  // namespace solution

#include "mistakes.h"
#include "mistakes_apart.h"
#include "mistakes_batch.h"
#include "mistakes_crew.h"

namespace {

using namespace grader;
using mistakes::AllShards, mistakes::BatchGradient, mistakes::Numbers, mistakes::ShardBounds,
    mistakes::TreeSum;

// To the last bit.
constexpr double kExact = 0;

template <class T>
void shuffle(std::vector<T>& x, Rng& rng) {
  for (std::size_t i = x.size(); i > 1; --i) std::swap(x[i - 1], x[rng.below(i)]);
}

// Small numbers among large ones that cancel each other, so that another order gives another sum. A verdict
// shows numbers that are smaller by 14 digits as 0, so these are not.
Numbers numbers_of(std::size_t n, Rng& rng) {
  Numbers x;
  for (std::size_t i = 0; i < n / 3; ++i) {
    const double large = 1e16 * static_cast<double>(1 + rng.below(5));
    x.push_back(large), x.push_back(-large);
  }
  while (x.size() < n) x.push_back(static_cast<double>(10000 + rng.below(90000)) / 10);
  shuffle(x, rng);
  return x;
}

Part tree_part() {
  Rng rng(171);
  std::vector<Case<TreeSum>> cases;
  const auto on = [&cases](const Numbers& x) {
    cases.push_back(calling<TreeSum>("tree_sum(x)", named("x", x)));
  };
  on({1, 2, 3});
  on({1e16, 1001, -1e16, 1001});
  for (const std::size_t n : {8, 5, 6, 7, 7, 11, 9, 13, 15, 23, 21, 1}) on(numbers_of(n, rng));
  on({});
  Part made = part<TreeSum>("tree_sum", 1, ::tree_sum, solution::tree_sum, std::move(cases),
                            slips_of<TreeSum>(mistakes::tree_sum, mistakes::kOfTreeSum), kExact);
  made.examples = 2;
  return made;
}

Part bounds_part() {
  std::vector<Case<ShardBounds>> cases;
  for (const auto& [rows, largest] : std::vector<std::pair<std::size_t, std::size_t>>{
           {8, 4}, {10, 4}, {13, 5}, {14, 4}, {17, 5}, {23, 6}, {3, 8}, {7, 1}, {0, 4}, {13, 6}})
    cases.push_back(calling<ShardBounds>(fmt::format("shard_bounds({}, {})", rows, largest),
                                         named("rows", rows), named("largest", largest)));
  Part made =
      part<ShardBounds>("shard_bounds", 2, ::shard_bounds, solution::shard_bounds, std::move(cases),
                        slips_of<ShardBounds>(mistakes::shard_bounds, mistakes::kOfShardBounds), kExact);
  made.examples = 2;
  return made;
}

// Gradients of as many shards, each of three numbers, which are 0 where a shard has no targets.
std::vector<ShardGradient> gradients_of(const std::vector<std::size_t>& targets, Rng& rng) {
  std::vector<ShardGradient> shards;
  const auto filled = targets.size() - static_cast<std::size_t>(std::ranges::count(targets, 0U));
  Numbers columns[] = {numbers_of(filled, rng), numbers_of(filled, rng), numbers_of(filled, rng)};
  for (std::size_t s = 0; s < targets.size(); ++s) {
    shards.push_back({s, {0, 0, 0}, targets[s]});
    for (std::size_t j = 0; j < 3 && targets[s] > 0; ++j) {
      shards.back().gradient[j] = columns[j].back();
      columns[j].pop_back();
    }
  }
  return shards;
}

std::vector<Shown> shown_shards(const std::vector<ShardGradient>& shards) {
  std::vector<std::size_t> numbers, targets;
  Array gradients = zeros({shards.size(), shards[0].gradient.size()}).array();
  for (std::size_t i = 0; i < shards.size(); ++i) {
    numbers.push_back(shards[i].shard), targets.push_back(shards[i].targets);
    for (std::size_t j = 0; j < shards[i].gradient.size(); ++j) gradients(i, j) = shards[i].gradient[j];
  }
  return {shown("shard", numbers), shown("gradient", gradients), shown("targets", targets)};
}

Part batch_part() {
  Rng rng(172);
  std::vector<Case<BatchGradient>> cases;
  const auto on = [&cases](const std::vector<ShardGradient>& arrived) {
    cases.push_back(
        {"batch_gradient(arrived)", shown_shards(arrived),
         [arrived](const BatchGradient& function) { return Result{shown("result", function(arrived))}; }});
  };
  on({{1, {6, 0}, 3}, {0, {2, 4}, 1}});
  for (const auto& targets : std::vector<std::vector<std::size_t>>{{4, 4, 4, 4},
                                                                   {3, 0, 5, 2, 6},
                                                                   {1, 2, 3, 4, 5, 6, 7, 8},
                                                                   {2, 7, 0, 0, 4, 1, 5},
                                                                   {9, 4, 0, 8, 7, 0, 3, 5, 12, 1, 6},
                                                                   {6}}) {
    std::vector<ShardGradient> arrived = gradients_of(targets, rng);
    shuffle(arrived, rng);
    on(arrived);
  }
  return part<BatchGradient>(
      "batch_gradient", 2, ::batch_gradient, solution::batch_gradient, std::move(cases),
      slips_of<BatchGradient>(mistakes::batch_gradient, mistakes::kOfBatchGradient), kExact);
}

Case<AllShards> crew_case(std::size_t workers, const Numbers& seconds,
                          const std::vector<ShardGradient>& shards) {
  std::vector<Shown> inputs = shown_shards(shards);
  inputs[0] = shown("seconds of each shard", seconds);
  return {fmt::format("all_shards(crew)   {} workers, {} shards", workers, shards.size()), inputs,
          [=](const AllShards& function) {
            Crew crew(workers, seconds, shards);
            const Numbers result = function(crew);
            return Result{shown("result", result), shown("crew.seconds()", crew.seconds())};
          }};
}

Part crew_part() {
  Rng rng(173);
  std::vector<Case<AllShards>> cases{
      crew_case(2, {3, 1, 1}, {{0, {2, 4}, 1}, {1, {6, 0}, 3}, {2, {1, 1}, 4}})};
  for (const auto& [workers, shards] :
       std::vector<std::pair<std::size_t, std::size_t>>{{2, 8}, {3, 8}, {3, 11}, {8, 5}, {1, 6}, {5, 13}}) {
    Numbers seconds;
    std::vector<std::size_t> targets;
    for (std::size_t s = 0; s < shards; ++s)
      seconds.push_back(static_cast<double>(1 + rng.below(36)) / 4), targets.push_back(1 + rng.below(6));
    cases.push_back(crew_case(workers, seconds, gradients_of(targets, rng)));
  }
  return part<AllShards>("all_shards", 3, ::all_shards, solution::all_shards, std::move(cases),
                         slips_of<AllShards>(mistakes::all_shards, mistakes::kOfAllShards), kExact);
}

Part apart_part() {
  Part made =
      experiment_part("steps_until_apart", 2, ::steps_until_apart, solution::steps_until_apart,
                      [](double k) { return solution::first_step_apart(static_cast<std::size_t>(k)); },
                      {.setting = "k",
                       .measured = "steps",
                       .least = 2,
                       .most = 15,
                       .wrong = mistakes::of_steps_until_apart()});
  made.seconds = 60;
  return made;
}

}  // namespace

int main(int argc, char** argv) {
  return run(argc, argv, [] {
    return grader::Exercise{"19_many_cores_same_bits",
                            {tree_part(), bounds_part(), batch_part(), crew_part(), apart_part()}};
  });
}
