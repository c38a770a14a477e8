// Replacements for functions of the C library whose last digits differ between libraries. They use plain
// arithmetic and give the same bits on every machine. Use them for single values: tables of positions,
// schedules, random deviates. (Loops over arrays use src/engine/core/kernels/vector_math.h.) The error is at
// most 2 units in the last place unless stated otherwise.
#pragma once

#include <cstddef>

#include "headlight/core/real.h"

namespace headlight::math {

// e^x: 0 far below, ∞ far above.
double exp(double x);

// ln x: -∞ at 0, NaN below.
double log(double x);

// e^x - 1 and ln(1 + x), exact to a few units in the last place near 0 too, where the plain formulas lose all
// digits (Kahan's correction; Higham 2002, "Accuracy and Stability of Numerical Algorithms", §1.14.1).
double expm1(double x);
double log1p(double x);

// For |x| ≤ 2^20. Throws Error beyond that, where the remainder of π/2 would need more digits of π.
double sin(double x);
double cos(double x);

// base^x = e^(x ln base) for base ≥ 0, within 2(1 + |x ln base|) units in the last place.
double power(double base, double x);

// base^n by repeated squaring, within n/2 + 1 units in the last place.
double power(double base, std::size_t n);

}  // namespace headlight::math
