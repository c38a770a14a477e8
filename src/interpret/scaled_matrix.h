// Matrices whose numbers are near 1, so that no square of them overflows or vanishes.
#pragma once

#include <algorithm>
#include <cmath>

#include "headlight/interpret/spectrum.h"

namespace headlight::interpret {

// A = matrix · 2^exponent, exactly. The largest number of `matrix` is 1 or more, and below 2; a matrix of
// zeros stays as it is.
struct ScaledMatrix {
  Matrix matrix;
  int exponent = 0;
};

inline ScaledMatrix scaled(const Matrix& a) {
  double largest = 0;
  for (const double x : a.numbers) largest = std::max(largest, std::abs(x));
  if (largest == 0) return {a};
  ScaledMatrix result{a, std::ilogb(largest)};
  for (double& x : result.matrix.numbers) x = std::scalbn(x, -result.exponent);
  return result;
}

}  // namespace headlight::interpret
