// The number type of the whole library. In the double build CMake defines `headlight` as headlight_f64, so
// that all names are in another namespace: code compiled for one type does not link to the other.
#pragma once

namespace headlight {

#ifdef HEADLIGHT_DOUBLE
using Real = double;
#else
using Real = float;
#endif

// True in the double build (target headlight_f64), which checks gradients; false in the float build
// (target headlight), which trains models.
inline constexpr bool kDouble = sizeof(Real) == 8;

}  // namespace headlight
