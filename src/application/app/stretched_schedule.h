// A run that goes on for more steps than it was planned for.
#pragma once

#include <cstdint>

#include "headlight/train/config.h"

namespace headlight::app {

// With more steps a schedule is stretched: says so when the learning rate of the next step is then another
// one.
void warn_stretched(const train::TrainConfig& before, std::int64_t steps, std::int64_t done);

}  // namespace headlight::app
