// Adds up the gradients of a batch's shards in a fixed binary tree, whichever process holds which shard.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "headlight/autograd/tensor.h"
#include "headlight/core/array.h"

namespace headlight::train {

// The result of one shard, or the sum over the neighbouring shards first … last-1.
struct ShardSum {
  std::size_t first = 0, last = 0;
  Array gradient;           // (numbers of all parameters)
  double loss = 0;          // part of the batch's loss
  std::size_t targets = 0;  // positions with a target
};

// An addition of the tree: the sum at index `from` is added to that at index `to`.
struct Addition {
  std::size_t to, from;
};

// The tree over `shards` leaves adds neighbours, then neighbouring sums: (((0+1)+(2+3))+((4+5)+(6+7))). A sum
// without a neighbour moves up unchanged. Returns the additions that are possible among `sums`, in order, and
// updates first … last of every sum that is added to. `sums` must be in the order of their shards.
std::vector<Addition> plan_additions(std::vector<ShardSum>& sums, std::size_t shards);

// The sums as bytes, for another process of the same build, and back. Throws Error for bytes that end too
// early.
std::string to_bytes(const std::vector<ShardSum>& sums);
std::vector<ShardSum> sums_from(std::string_view bytes);

// The processes that train one model together. This base class is a single process.
class Exchange {
 public:
  virtual ~Exchange() = default;

  struct Range {
    std::size_t first, last;  // shards first … last-1
  };

  // The shards that this process computes.
  virtual Range mine(std::size_t shards) const { return {0, shards}; }

  // Called once per step, in every process, with this process's sums as far up the tree as they can be added.
  // Adds the sums of the other processes to the list. All processes must end with the same list, in the order
  // of the shards.
  virtual void share(std::vector<ShardSum>& sums) { static_cast<void>(sums); }

  // Called after each step, in every process, with the parameters, which must be the same in all.
  virtual void after_step(std::int64_t step, const std::vector<Tensor>& parameters) {
    static_cast<void>(step), static_cast<void>(parameters);
  }
};

}  // namespace headlight::train
