// The memory that a run takes, before it is made.
#pragma once

#include <algorithm>

#include "headlight/experiment/config.h"

namespace headlight::inline HEADLIGHT_PRECISION::experiment {

// Bytes, estimated from the sizes alone, to refuse what cannot fit.
struct TrainingMemory {
  double weights = 0;      // with the gradients of all shards, what the optimizer keeps, and the average
  double activations = 0;  // what the threads keep for backward, a shard each; and for evaluations
  double certificate = 0;  // what it examines after the training, when no activations are kept any more
  double history = 0;      // the weights along training
  double patterns = 0;     // of all heads, on the sequences that score them

  double total() const { return weights + std::max(activations, certificate) + history + patterns; }
};

// The model of `task`, trained by `threads` threads. Throws Error for a model that cannot be.
TrainingMemory training_memory(const RunConfig& config, const tasks::Task& task, int threads);

// Throws Error, which names the largest part and what makes it smaller, when that is more than
// system::usable_memory().
void require_training_memory(const RunConfig& config, const tasks::Task& task, int threads);

}  // namespace headlight::inline HEADLIGHT_PRECISION::experiment
