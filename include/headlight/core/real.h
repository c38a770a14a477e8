// The number type of the whole library.
#pragma once

namespace headlight {

#ifdef HEADLIGHT_DOUBLE
using Real = double;
#else
using Real = float;
#endif

// True in the double build (target headlight_f64), where gradients are proved; false in the float
// build (target headlight), where models are trained.
inline constexpr bool kDouble = sizeof(Real) == 8;

}  // namespace headlight
