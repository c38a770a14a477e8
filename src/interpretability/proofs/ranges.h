// Ranges of real numbers. Their ends are rounded outward, so a range holds what exact arithmetic gives.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "headlight/interpret/balls.h"

namespace headlight::interpret {

struct Range {
  double low, high;
};
using Ranges = std::vector<Range>;

// Sums of two numbers are rounded by at most 2^-53 of the result.
inline Range outward(double low, double high) {
  return {low - 0x1p-51 * std::abs(low), high + 0x1p-51 * std::abs(high)};
}

inline Range range_of(const Ball& x) { return outward(x.center - x.radius, x.center + x.radius); }
inline Range operator+(const Range& x, const Range& y) { return outward(x.low + y.low, x.high + y.high); }
inline Range operator-(const Range& x, const Range& y) { return outward(x.low - y.high, x.high - y.low); }

// The least range that holds both.
inline Range joined(const Range& x, const Range& y) {
  return {std::min(x.low, y.low), std::max(x.high, y.high)};
}

// Range of Σ w_i x_i over numbers and weights within their ranges, the weights adding up to 1. The weights
// are between 0 and 1.
Range mix(const Ranges& x, const Ranges& weights);

// The weights of a softmax whose scores are within ranges.
Ranges softmax_ranges(const Ranges& scores);

}  // namespace headlight::interpret
