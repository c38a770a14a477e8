// Where along training the loss on held-out sequences was lowest.
#pragma once

#include <optional>
#include <vector>

#include "headlight/run/metrics.h"
#include "headlight/run/results.h"

namespace headlight::run {

// Which of so many snapshots are measured: evenly spaced, without the first, and ten to nineteen where there
// are more than ten, because each takes time.
std::vector<std::size_t> snapshots_to_measure(std::size_t snapshots);

// The lowest of the losses measured along training, if that at the end is above it by more than the noise of
// such losses (0.02 nats), while the loss on sequences as in training fell: from that in `metrics` at the
// same step, or the next one measured, to `loss_now`.
std::optional<LowestHeldOut> lowest_before(const std::vector<LowestHeldOut>& along_training,
                                           const LowestHeldOut& at_the_end,
                                           const std::vector<Metrics>& metrics, double loss_now);

}  // namespace headlight::run
