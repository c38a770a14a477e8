// What this machine can do: the yardsticks of a step.
#pragma once

#include "step_timing.h"

namespace headlight::bench {

struct MachineRates {
  double peak;     // GFLOP/s of multiply-adds that stay in registers
  double product;  // GFLOP/s of our products of 512 x 512 matrices
  double layers;   // GFLOP/s of the products of a model's linear layers and of their gradients, for one shard
  double copy;     // GB/s read and written by one thread that copies as much as reduction and optimizer touch
};

// Measures each for `seconds` in a process of its own. All but the copy run on `threads` threads at once.
MachineRates machine_rates(const BenchConfig& config, double parameters, int threads, double seconds);

// Bytes that the reduction and AdamW must read and write in a step: both summands and the sum for each pair
// of shards; the gradient for its norm; then gradient, weight and both moments, and all but the gradient
// again.
double update_bytes(const BenchConfig& config, double parameters);

}  // namespace headlight::bench
