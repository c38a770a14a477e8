// How the gradients of a batch's shards become one: a fixed binary tree, whoever holds which shard.
#pragma once

#include <cstddef>
#include <vector>

#include "headlight/core/array.h"

namespace headlight::inline HEADLIGHT_PRECISION::train {

// What one shard has made, or the sum of some neighbouring shards: first … last-1.
struct ShardSum {
  std::size_t first = 0, last = 0;
  Array gradient;           // (numbers of all parameters)
  double loss = 0;          // part of the batch's loss
  std::size_t targets = 0;  // positions that were asked
};

// An addition of the tree: the sum at index `from` is added to that at index `to`.
struct Addition {
  std::size_t to, from;
};

// The tree over `shards` leaves adds neighbours, then neighbouring sums: (((0+1)+(2+3))+((4+5)+(6+7))). A sum
// without a neighbour goes up as it is. Returns the additions that are possible among the sums present, in
// order; afterwards each that is no `from` holds a larger part of the tree, marked in first … last. `sums`
// must be in the order of their shards.
std::vector<Addition> plan_additions(std::vector<ShardSum>& sums, std::size_t shards);

// Processes that train one model together. This one is alone.
class Exchange {
 public:
  virtual ~Exchange() = default;

  struct Range {
    std::size_t first, last;  // shards first … last-1
  };

  // The shards that this process takes.
  virtual Range mine(std::size_t shards) const { return {0, shards}; }

  // Called once a step, in every process: given this process's sums, as far as they go up the tree, it adds
  // those of the others. All processes must end with the same list, in the order of the shards.
  virtual void share(std::vector<ShardSum>& sums) { static_cast<void>(sums); }
};

}  // namespace headlight::inline HEADLIGHT_PRECISION::train
