// The training step of a small model as plain loops, written for this one model.
#pragma once

#include <memory>
#include <string_view>

namespace headlight::bench {

// A peer to measure against: the same formulas as the step of a tiny configuration, on one thread, without a
// tape, a graph or a library. Its sums are in another order, so its numbers are near ours, not the same.
class PlainStep {
 public:
  virtual ~PlainStep() = default;

  // Draws the sequences, then runs forward, backward, clipping and AdamW. Returns the loss, in nats.
  virtual double step() = 0;
};

// Of tiny16, tiny32 or tiny64; null for other configurations.
std::unique_ptr<PlainStep> plain_step(std::string_view config);

}  // namespace headlight::bench
