// The training step of a small model as plain loops, written for this one model.
#pragma once

#include <memory>

#include "step_timing.h"

namespace headlight::bench {

// A peer to measure against: the same formulas as the step of a tiny configuration, on one thread, without a
// tape, a graph or a library. Its sums are in another order, so its numbers are near ours, not the same.
class PlainStep {
 public:
  virtual ~PlainStep() = default;

  // Draws the sequences, then runs forward, backward, clipping and AdamW. Returns the loss, in nats.
  virtual double step() = 0;
};

// Null for a configuration that is not one of those: tiny16, tiny32 and tiny64.
std::unique_ptr<PlainStep> plain_step(const BenchConfig& config);

}  // namespace headlight::bench
