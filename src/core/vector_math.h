// exp and tanh of floats without a branch or a call, so that every compiler vectorises a loop over them, on
// any machine and without -ffast-math. At most 2 units in the last place from exact, over the whole range;
// ±∞ and NaN are what they should be. Doubles are for proofs, not for speed: they take the library's.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace headlight::inline HEADLIGHT_PRECISION::vector_math {

// e^x = 2^n e^r with n whole and |r| ≤ ½ ln 2: a polynomial in r, its exponent raised by n. In two steps,
// because 2^n alone may be out of range where e^x is not. Coefficients: Cephes, expf.
inline float exp(float x) {
  constexpr float kLog2E = 1.44269504088896341f;
  constexpr float kLn2High = 0.693359375f;  // 9 bits, so that n times it is exact
  constexpr float kLn2Low = -2.12194440e-4f;
  constexpr float kRound = 12582912.0f;  // 1.5·2^23: adding it leaves a whole number in the last bits
  x = x > 90.0f ? 90.0f : x;             // e^x is ∞ there already, and 0 below -105; a NaN stays one
  x = x < -105.0f ? -105.0f : x;
  const float shifted = x * kLog2E + kRound;
  const float n = shifted - kRound;
  const float r = (x - n * kLn2High) - n * kLn2Low;
  float p = 1.9875691500e-4f;
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  p = p * (r * r) + r + 1.0f;
  const std::int32_t whole = std::bit_cast<std::int32_t>(shifted) - std::bit_cast<std::int32_t>(kRound);
  const std::int32_t half = whole >> 1;
  const auto power_of_two = [](std::int32_t k) { return std::bit_cast<float>((k + 127) << 23); };
  return p * power_of_two(half) * power_of_two(whole - half);
}

// Near 0 an odd polynomial, elsewhere 1 - 2/(e^2|x| + 1) with the sign of x. Coefficients: Cephes, tanhf.
inline float tanh(float x) {
  const float z = x * x;
  float p = -5.70498872745e-3f;
  p = p * z + 2.06390887954e-2f;
  p = p * z - 5.37397155531e-2f;
  p = p * z + 1.33314422036e-1f;
  p = p * z - 3.33332819422e-1f;
  const float near = p * z * x + x;
  const float far = 1.0f - 2.0f / (exp(2.0f * std::abs(x)) + 1.0f);
  return std::copysign(std::abs(x) < 0.625f ? near : far, x);
}

inline double exp(double x) { return std::exp(x); }
inline double tanh(double x) { return std::tanh(x); }

}  // namespace headlight::inline HEADLIGHT_PRECISION::vector_math
