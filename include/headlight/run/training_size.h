// The one limit on the sizes of a training.
#pragma once

#include "headlight/run/config.h"

namespace headlight::run {

// Throws Error when weights (with the gradients of all shards and what the optimizer keeps), activations of a
// batch and patterns of all heads together take more than kMostMemory. The error names the settings of the
// largest of the three.
void check_training_size(const RunConfig& config, const tasks::Task& task);

}  // namespace headlight::run
