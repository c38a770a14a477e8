// The number type of the whole library. All its names stand in an inline namespace of that type, f32 or f64
// (CMake sets HEADLIGHT_PRECISION): what was compiled for the one does not link to the other.
#pragma once

namespace headlight::inline HEADLIGHT_PRECISION {

#ifdef HEADLIGHT_DOUBLE
using Real = double;
#else
using Real = float;
#endif

// True in the double build (target headlight_f64), where gradients are proved; false in the float
// build (target headlight), where models are trained.
inline constexpr bool kDouble = sizeof(Real) == 8;

}  // namespace headlight::inline HEADLIGHT_PRECISION
