// Scales that bring numbers into the range of their squares.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "headlight/core/array.h"
#include "headlight/core/kernels.h"

namespace headlight {

// For each group of x that kernels::max_to(x, kept) reduces to one number: the power of two that brings the
// largest |x| to about 2^20 where it is not from `least` to `most`, and 1 elsewhere. Nothing if all are 1. A
// power of two changes no digit.
inline std::optional<Array> powers_of_two(const Array& x, const Shape& kept, Real least, Real most) {
  Array scales = kernels::max_to(kernels::abs(x), kept);
  constexpr int kMost = std::numeric_limits<Real>::max_exponent - 2;  // whose inverse is a normal number too
  bool needed = false;
  for (Real& s : scales) {
    const bool out_of_range = s > 0 && std::isfinite(s) && (s < least || s > most);
    s = out_of_range ? std::ldexp(Real(1), std::min(20 - std::ilogb(s), kMost)) : Real(1);
    needed |= out_of_range;
  }
  return needed ? std::optional<Array>(std::move(scales)) : std::nullopt;
}

// The same for the rows of layer_norm and rms_norm whose squares overflow: the norm of a multiple of a row is
// the same, but for eps. The kernel's factor 1/√(mean x² + eps) is then 0 or NaN. A row with an infinity
// stays as it is.
inline std::optional<Array> scales_of_large_rows(const Array& x, const Array& factors) {
  if (std::all_of(factors.begin(), factors.end(), [](Real f) { return f > 0; })) return std::nullopt;
  Shape kept(x.shape().begin(), x.shape().end());
  kept.back() = 1;
  return powers_of_two(x, kept, 0, kDouble ? Real(0x1p480) : Real(0x1p50));
}

}  // namespace headlight
