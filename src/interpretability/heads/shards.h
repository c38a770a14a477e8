// A batch in shards of a fixed number of sequences, so that no sum depends on the number of threads.
#pragma once

#include <vector>

#include "headlight/interpret/head_loss.h"

namespace headlight::interpret {

struct Shard {
  std::size_t first;  // its first row in the batch
  tasks::Batch batch;
  IntArray targets;   // those that count
  double per_target;  // 1 / the targets that count in the whole batch
};

// Throws Error as counted_targets() does.
std::vector<Shard> shards_of(const tasks::Batch& batch, LossOver over);

// For passes without a loss, also where no target counts.
std::vector<Shard> shards_of_rows(const tasks::Batch& batch);

// The part of the loss that the shard's targets make: the shards' parts add up to the loss.
Tensor shard_loss(const nn::Transformer& model, const Shard& shard, const nn::Hooks& hooks = {});

// Copies an array (b,…) to rows first … first+b-1 of one (B,…).
void put_rows(const Array& part, std::size_t first, Array& all);

// An array for `rows` rows like those of `part`.
Array array_of_rows(const Array& part, std::size_t rows);

// Σ x², and Σ x y, added in their order in double.
double sum_of_squares(const Real* x, std::size_t count);
double dot(const Real* x, const Real* y, std::size_t count);

}  // namespace headlight::interpret
