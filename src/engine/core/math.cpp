// This file fuses no multiply-add, so that machines without fused multiply-add give the same bits.
#include "headlight/core/math.h"

#include <cmath>
#include <limits>

#include "headlight/core/check.h"

#if defined(__FAST_MATH__) || __FINITE_MATH_ONLY__
#error \
    "Headlight needs Inf and NaN as they are: leave -ffast-math, -ffinite-math-only and -Ofast out of CXXFLAGS."
#endif

namespace headlight::math {
namespace {

// ln 2 and π/2 in parts. The first parts have few digits, so that their product with a whole number is exact.
constexpr double kLn2[] = {0x1.62e42feep-1, 0x1.a39ef35793c76p-33};
constexpr double kHalfPi[] = {0x1.921fb544p+0, 0x1.0b4611a6p-34, 0x1.3198a2e037073p-69};

struct Quadrant {
  long number;
  double rest, correction;  // their sum is x less π/2 times the number
};

Quadrant quadrant_of(double x) {
  check(std::abs(x) <= 0x1p20, "[sin, cos] expected an angle of at most 2^20, got {}.", x);
  const double n = std::floor(x * 0.63661977236758134 + 0.5);  // 2/π
  const double high = x - n * kHalfPi[0], middle = n * kHalfPi[1];
  const double near = high - middle;
  const double low = n * kHalfPi[2] - ((high - near) - middle);
  const double rest = near - low;
  return {std::lround(n), rest, (near - rest) - low};
}

// Taylor's series, whose rest is below 1e-19 for |x| ≤ π/4.
double sin_of(double x, double correction) {
  const double z = x * x;
  double p = 0;
  for (int k = 17; k >= 3; k -= 2) p = (1 + p) * -z / (k * (k - 1));
  return x + (x * p + correction * (1 - z / 2));
}
double cos_of(double x, double correction) {
  const double z = x * x;
  double p = 0;
  for (int k = 18; k >= 4; k -= 2) p = (1 + p) * -z / (k * (k - 1));
  const double half = z / 2, first = 1 - half;
  return first + (((1 - first) - half) - (half * p + x * correction));
}

double turned(const Quadrant& q, long quarter) {
  const double y = quarter % 2 == 0 ? sin_of(q.rest, q.correction) : cos_of(q.rest, q.correction);
  return (quarter & 2) == 0 ? y : -y;
}

}  // namespace

// e^x = 2^n e^r with n whole and |r| ≤ ½ ln 2.
double exp(double x) {
  if (x != x) return x;
  if (x > 710) return std::numeric_limits<double>::infinity();
  if (x < -746) return 0;
  const double n = std::floor(x / 0.69314718055994531 + 0.5);
  const double high = x - n * kLn2[0], low = n * kLn2[1], r = high - low;
  double p = 1;
  for (int k = 14; k >= 3; --k) p = 1 + p * r / k;
  const double y = 1 + (r + (r * r / 2 * p + ((high - r) - low)));
  return std::ldexp(y, static_cast<int>(n));
}

// x = m·2^e with m in [1/√2, √2), and ln m = 2 artanh(s) = 2(s + s³/3 + s⁵/5 + …), s = (m-1)/(m+1), |s| <
// 0.172: 12 terms reach 1e-18. With f = m-1, 2s = f - s·f spares the rounding of s.
double log(double x) {
  if (!(x > 0))
    return x == 0 ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  if (x > std::numeric_limits<double>::max()) return x;
  int exponent = 0;
  double m = std::frexp(x, &exponent);
  if (m < 0.70710678118654752) m *= 2, --exponent;
  const double f = m - 1, s = f / (m + 1), z = s * s;
  double p = 0;
  for (int k = 23; k >= 3; k -= 2) p = z * (p + 1.0 / k);
  const double e = exponent;
  return e * kLn2[0] + (f + (e * kLn2[1] - s * (f - 2 * p)));
}

// u = e^x is rounded, and so is ln u, but (u - 1)/ln u changes slowly: it is nearly right at the wrong place.
// A u that u - 1 loses has too few digits for that where it is not a normal number.
double expm1(double x) {
  const double u = exp(x);
  if (u == 1) return x;
  if (u < 0x1p-54 || u > std::numeric_limits<double>::max() || u != u) return u - 1;
  return (u - 1) * (x / log(u));
}
double log1p(double x) {
  const double u = 1 + x;
  if (u == 1) return x;
  if (!(u > 0) || u > std::numeric_limits<double>::max()) return log(u);
  return log(u) * (x / (u - 1));
}

double sin(double x) {
  const Quadrant q = quadrant_of(x);
  return turned(q, q.number);
}
double cos(double x) {
  const Quadrant q = quadrant_of(x);
  return turned(q, q.number + 1);
}

double power(double base, double x) { return exp(x * log(base)); }

double power(double base, std::size_t n) {
  double y = 1;
  for (double square = base; n > 0; n /= 2, square *= square)
    if (n % 2 == 1) y *= square;
  return y;
}

}  // namespace headlight::math
