// Functions of the C library whose last digits differ from one library to the next, in plain arithmetic: the
// same bits on every machine. For what is computed once: tables of positions, schedules, random deviates.
// (The loops over numbers have their own, in src/core/vector_math.h.) Within 2 units in the last place of
// exact, unless said.
#pragma once

#include <cstddef>

#include "headlight/core/real.h"

namespace headlight::inline HEADLIGHT_PRECISION::math {

// e^x: 0 far below, ∞ far above.
double exp(double x);

// ln x: -∞ at 0, NaN below.
double log(double x);

// For |x| ≤ 2^20, and throws Error beyond: positions do not go that far, and a remainder of π/2 would need
// more digits of it.
double sin(double x);
double cos(double x);

// base^x = e^(x ln base) for base ≥ 0, within 2(1 + |x ln base|) units in the last place.
double power(double base, double x);

// base^n by repeated squaring, within n/2 + 1 units in the last place.
double power(double base, std::size_t n);

}  // namespace headlight::inline HEADLIGHT_PRECISION::math
