// Whether numbers are finite: neither NaN nor infinite.
#pragma once

#include <algorithm>
#include <cmath>

#include "headlight/core/array.h"

namespace headlight {

// Whether no element is NaN or infinite.
inline bool all_finite(const Array& x) {
  return std::all_of(x.begin(), x.end(), [](Real number) { return std::isfinite(number); });
}

}  // namespace headlight
