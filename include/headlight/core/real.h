// The number type of the whole library. All names are in an inline namespace, f32 or f64, which CMake sets as
// HEADLIGHT_PRECISION. So code that was compiled for one type does not link to the other.
#pragma once

namespace headlight::inline HEADLIGHT_PRECISION {

#ifdef HEADLIGHT_DOUBLE
using Real = double;
#else
using Real = float;
#endif

// True in the double build (target headlight_f64), which checks gradients; false in the float build
// (target headlight), which trains models.
inline constexpr bool kDouble = sizeof(Real) == 8;

}  // namespace headlight::inline HEADLIGHT_PRECISION
