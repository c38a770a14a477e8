// Exercise 19: add in a fixed tree, divide a batch, and let workers compute whose order does not matter.
//
// The numbers of parts 1 to 4 are compared to the last bit. So it matters which two are added first.
#include "exercise.h"
#include "crew.h"
#include "headlight/core/math.h"
#include "small_training.h"

// Part 1 ★  tree_sum
// The sum in the fixed tree (lesson, section 5). On each level, add neighbours: x_0 + x_1, x_2 + x_3, and so
// on. If one number is left at the end, it moves up to the next level as it is, to the last place. Go on with
// the new numbers until one is left. Without numbers the sum is 0. Add doubles, without any correction.
//   [1, 2, 3]                  →  (1 + 2) + 3 = 6
//   [1e16, 1001, -1e16, 1001]  →  (1e16 + 1001) + (-1e16 + 1001) = 2000
//   Doubles near 1e16 are 2 apart. 1e16 + 1001 is in the middle of two, and is rounded to 1e16 + 1000, whose
//   last binary digit is 0.
double tree_sum(const std::vector<double>& x) { todo(); }

// Part 2 ★★  shard_bounds
// Divides the rows 0 … rows-1 of a batch into shards of neighbouring rows, by the batch alone: the number of
// threads is not asked. No shard has more than `largest` rows, and there are as few shards as this allows.
// Their sizes differ by 1 at most, and larger shards come first. The result says where each shard begins, in
// order, and behind them where the last one ends, which is `rows`. Without rows there is no shard, and the
// result is [0]. `largest` is at least 1.
//   rows = 8, largest = 4   →  [0, 4, 8]
//   rows = 10, largest = 4  →  [0, 4, 7, 10]     three shards, of 4, 3 and 3 rows
std::vector<std::size_t> shard_bounds(std::size_t rows, std::size_t largest) { todo(); }

// Part 3 ★★  batch_gradient
// The gradient of the mean loss over all targets of a batch. `arrived` has what each shard gave, in the order
// in which the shards finished; crew.h says what a ShardGradient holds. No shard is missing, and all
// gradients have the same length, at least 1. Each number of the result is the sum of the shards' numbers at
// its place, in the fixed tree over the shards 0, 1, 2, …, divided by the number of targets of all shards. So
// the result may not depend on the order of arrival. A shard may have no targets; it keeps its place in the
// tree. At least one shard has a target. Add first, then divide:
// in the lesson each shard divides, which gives other bits.
//   arrived = {{shard 1, gradient [6, 0], 3 targets}, {shard 0, gradient [2, 4], 1 target}}  →  [2, 1]
std::vector<double> batch_gradient(const std::vector<ShardGradient>& arrived) { todo(); }

// Part 4 ★★★  all_shards
// Lets the workers of a crew (crew.h) compute all shards, and returns the gradient of the batch as part 3
// defines it. Shards are handed out in the order 0, 1, 2, …, each once. At first worker 0 gets shard 0,
// worker 1 gets shard 1, and so on. From then on, whoever finishes gets the next shard at once, as long as
// there is one. There may be more workers than shards. The checker also compares crew.seconds() at the end.
//   2 workers, shards that take 3, 1 and 1 seconds: worker 1 computes the shards 1 and 2, in 2 seconds. In
//   all 3 seconds pass.
std::vector<double> all_shards(Crew& crew) { todo(); }

// Part 5 ★★  steps_until_apart: an experiment of your own
// A training that reads the same data differs after a small change of one weight. After how many steps can
// you see it? small_training.h has the lesson's model. For a whole number k from 2 to 15: make two trainings
// at the rate 0.03, and add 1 / math::power(10.0, k), with k a std::size_t, to first_weight() of one, which
// is a reference to a weight. Then take steps with both. What you measure is the number of the first step in
// which the two losses, which step() returns, differ by more than 0.001. Steps count from 1. Choose three
// values of k or more. Write down what you expect before you run it.
//   return {{k, the steps that you predict, the steps that you measured}, …};
std::vector<Trial> steps_until_apart() { todo(); }
