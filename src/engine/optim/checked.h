// Settings of optimizers, returned when an optimizer can use them.
#pragma once

#include <cmath>

#include "headlight/core/check.h"

namespace headlight::optim {

// The part that a running mean keeps in each step, a momentum.
inline double checked_momentum(const char* name, double value) {
  check(value >= 0 && value < 1, "[optimizer] expected {} of at least 0 and below 1, got {}.", name, value);
  return value;
}

inline double checked_at_least_0(const char* name, double value) {
  check(value >= 0 && std::isfinite(value), "[optimizer] expected {} of at least 0, got {}.", name, value);
  return value;
}

}  // namespace headlight::optim
