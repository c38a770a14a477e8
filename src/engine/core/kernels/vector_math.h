// exp, log, tanh and erf of vectors, in plain arithmetic. They give the same bits with every compiler and on
// all machines with fused multiply-add. The error is at most 2 units in the last place over the whole range;
// ±∞ and NaN are handled as by the C library. Doubles are for checks and lessons: of them only exp, the
// softmax's, is fast and ours. The others call the functions of the C library, one number at a time.
#pragma once

#include <math.h>

#include <cstdint>
#include <limits>
#include <type_traits>

#include "vectors.h"

namespace headlight::kernels::this_level::vector_math {

// A vector of whole numbers as wide as V.
template <class V>
using Whole = decltype(V{} < V{});

template <class V>
constexpr std::size_t lanes_of = sizeof(V) / sizeof(V{}[0]);
template <class V>
constexpr bool of_doubles = sizeof(V{}[0]) == sizeof(double);

// The same without a sign, so that sums wrap around.
template <class V>
using Bits = Vector<lanes_of<V>, std::conditional_t<of_doubles<V>, std::uint64_t, std::uint32_t>>;

template <class V>
using Number = std::conditional_t<of_doubles<V>, double, float>;

template <class V>
V all_of(Number<V> x) {
  return x - V{};
}

// Horner's rule, with the highest coefficient first.
template <class V, class... Coefficient>
V polynomial(V x, Number<V> highest, Coefficient... next) {
  V p = all_of<V>(highest);
  ((p = multiply_add(p, x, all_of<V>(next))), ...);
  return p;
}

constexpr std::int32_t kNoSign = std::numeric_limits<std::int32_t>::max();  // all bits but the sign
constexpr float kLargest = std::numeric_limits<float>::max(),
                kInfinity = std::numeric_limits<float>::infinity(),
                kNaN = std::numeric_limits<float>::quiet_NaN();

template <class V>
V magnitude(V x) {
  return (V)((Whole<V>)x & kNoSign);
}

// What exp needs of a number type. kRound: adding it leaves a whole number in the last bits. kHigh, kLow: -ln
// 2 in two parts, the first of so few bits that n times it is exact. Above kMost e^x is ∞, below kLeast it is
// 0, below kNormal it is smaller than the smallest normal number.
template <class Number>
struct ExpOf;
template <>
struct ExpOf<float> {
  using Int = std::int32_t;
  static constexpr float kRound = 12582912.0f;  // 1.5·2^23
  static constexpr float kPerLn2 = 1.44269504088896341f, kHigh = -0.693359375f, kLow = 2.12194440e-4f;
  static constexpr float kMost = 90.0f, kLeast = -104.0f, kNormal = -87.33f;
  static constexpr Int kFractionBits = 23, kBias = 127;
  // e^r. Coefficients: Cephes, expf.
  template <class V>
  static V of_rest(V r) {
    return polynomial(r, 1.9875691500e-4f, 1.3981999507e-3f, 8.3334519073e-3f, 4.1665795894e-2f,
                      1.6666665459e-1f, 5.0000001201e-1f, 1.0f, 1.0f);
  }
};
template <>
struct ExpOf<double> {
  using Int = std::int64_t;
  static constexpr double kRound = 6755399441055744.0;  // 1.5·2^52
  static constexpr double kPerLn2 = 1.4426950408889634, kHigh = -0.693145751953125,
                          kLow = -1.4286068203094172e-6;
  static constexpr double kMost = 710.0, kLeast = -746.0, kNormal = -708.39;
  static constexpr Int kFractionBits = 52, kBias = 1023;
  // Taylor: the first term that is left out, r^14/14!, is at most 4e-18.
  template <class V>
  static V of_rest(V r) {
    return polynomial(r, 1.0 / 6227020800, 1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880,
                      1.0 / 40320, 1.0 / 5040, 1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 0.5, 1.0, 1.0);
  }
};

// e^x = 2^n e^r with n whole and |r| ≤ ½ ln 2.
template <class V>
struct ExpParts {
  V of_rest;      // e^r
  Whole<V> bits;  // n in the last ones
};

template <class V>
ExpParts<V> exp_parts(V x) {
  using Of = ExpOf<Number<V>>;
  const V shifted = multiply_add(x, all_of<V>(Of::kPerLn2), all_of<V>(Of::kRound));
  const V n = shifted - Of::kRound;
  const V r = multiply_add(n, all_of<V>(Of::kLow), multiply_add(n, all_of<V>(Of::kHigh), x));
  return {Of::of_rest(r), (Whole<V>)shifted};
}

// The exponent is raised in two steps, because 2^n alone may be out of range where e^x is not.
template <class V>
V exp(V x) {
  using Of = ExpOf<Number<V>>;
  const V most = all_of<V>(Of::kMost), least = all_of<V>(Of::kLeast);
  const Whole<V> kept = x > least;  // below it a product that underflows takes a hundred times as long
  x = most < x ? most : x;          // a NaN stays one
  x = least > x ? least : x;
  const ExpParts<V> e = exp_parts(x);
  const Whole<V> n = e.bits - __builtin_bit_cast(typename Of::Int, Of::kRound), half = n >> 1;
  return e.of_rest * (V)((half + Of::kBias) << Of::kFractionBits) *
         (V)(((n - half + Of::kBias) << Of::kFractionBits) & kept);
}

// e^x for x ≤ 0, and 0 instead of numbers that are not normal: the weights of a softmax.
template <class V>
V exp_of_negative(V x) {
  using Of = ExpOf<Number<V>>;
  const ExpParts<V> e = exp_parts(x);  // meaningless where x is so small that the result is 0
  return (V)(((Bits<V>)e.of_rest + ((Bits<V>)e.bits << Of::kFractionBits)) &
             (Bits<V>)~(x < all_of<V>(Of::kNormal)));
}

// Near 0 an odd polynomial, elsewhere 1 - 2/(e^2|x| + 1) with the sign of x. Coefficients: Cephes, tanhf.
template <class V>
V tanh(V x) {
  if constexpr (of_doubles<V>) {
    for (std::size_t i = 0; i < lanes_of<V>; ++i) x[i] = ::tanh(x[i]);
    return x;
  } else {
    const V size = magnitude(x), z = x * x;
    const V p = polynomial(z, -5.70498872745e-3f, 2.06390887954e-2f, -5.37397155531e-2f, 1.33314422036e-1f,
                           -3.33332819422e-1f);
    const V near = multiply_add(p * z, size, size);
    const V far = 1.0f - 2.0f / (exp(size + size) + 1.0f);
    const V y = size < 0.625f ? near : far;
    return (V)((Whole<V>)y | ((Whole<V>)x & ~kNoSign));
  }
}

// x = m·2^e with m in [1/√2, √2), and ln m = 2 artanh(s) = 2(s + s³/3 + s⁵/5 + …), s = (m-1)/(m+1), |s| <
// 0.172. In double precision, where seven terms are exact to a thousandth of a float's last place.
inline double log_of(double x) {
  constexpr double kLn2 = 0.69314718055994531, kRootHalf = 0.70710678118654752;
  constexpr std::uint64_t kBias = std::uint64_t{1024} << 52;
  constexpr double kWideRound = 6755399441055744.0;  // 1.5·2^52, for the same purpose
  const std::uint64_t bits = __builtin_bit_cast(std::uint64_t, x),
                      root = __builtin_bit_cast(std::uint64_t, kRootHalf);
  const std::uint64_t e = (bits - root + kBias) >> 52;  // + 1024, so that no shift has to keep a sign
  const double m = __builtin_bit_cast(double, bits - (e << 52) + kBias);
  const double exponent =
      __builtin_bit_cast(double, __builtin_bit_cast(std::uint64_t, kWideRound) + e) - (kWideRound + 1024);
  const double s = (m - 1) / (m + 1), s2 = s * s;
  double p = 1.0 / 13;
  constexpr double kTerms[] = {1.0 / 11, 1.0 / 9, 1.0 / 7, 1.0 / 5, 1.0 / 3, 1.0};
  for (const double term : kTerms) p = multiply_add(p, s2, term);
  return multiply_add(exponent, kLn2, 2 * s * p);
}
inline float log(float x) {
  float y = static_cast<float>(log_of(x));
  y = x > kLargest ? x : y;
  y = x > 0 ? y : -kInfinity;
  return x >= 0 ? y : kNaN;
}
// ln(1 + x), also where 1 + x is 1 to a double.
inline float log1p(float x) {
  constexpr float kTiny = 0x1p-26f;  // x²/2 is then less than half a unit in the last place of x
  if (x > -kTiny && x < kTiny) return x;
  if (x > kLargest) return x;
  if (x == -1) return -kInfinity;
  return x > -1 ? static_cast<float>(log_of(1.0 + x)) : kNaN;
}

// x·p(x²) up to 4, where erf is 1 to a float. p interpolates erf(x)/x at the 18 Chebyshev points of 0 ≤ x² ≤
// 16 and is off by 2e-9 of it at most; it is written in t = x²/8 - 1, in which no digits cancel.
inline float erf(float x) {
  double wide = x;
  wide = wide > 4 ? 4 : wide;
  wide = wide < -4 ? -4 : wide;
  const double t = multiply_add(wide * wide, 0.125, -1.0);
  constexpr double kCoefficients[] = {-0.0002375303008633824, 0.00059559660600051094, -0.00036323960546510515,
                                      0.00061991862662079996, -0.0028438421375724847, 0.0055719994621687011,
                                      -0.0084450615340009947, 0.013912674213802432,   -0.022530380754105718,
                                      0.033214884637906013,   -0.04575393377883074,   0.059856530481245583,
                                      -0.074728962265009538,  0.090211975838021707,   -0.1077104012536239,
                                      0.13167500462304274,    -0.17657623355634394,   0.35353099633699614};
  double p = 0;
  for (const double coefficient : kCoefficients) p = multiply_add(p, t, coefficient);
  return static_cast<float>(wide * p);
}

inline double log(double x) { return ::log(x); }
inline double log1p(double x) { return ::log1p(x); }
inline double erf(double x) { return ::erf(x); }

// Of one number.
inline Real exp(Real x) { return exp(broadcast<16 / sizeof(Real)>(x))[0]; }

// y_i = f(x_i, …), vector by vector; the last vector is padded. y may be x.
template <class F, class... Row>
void map(std::size_t width, Real* y, F f, const Row*... x) {
  std::size_t i = 0;
  for (; i + kLanes <= width; i += kLanes) store<kLanes>(y + i, f(load<kLanes>(x + i)...));
  if (i == width) return;
  const auto last = [&](const Real* row) {
    Vector<kLanes> v{};
    for (std::size_t j = 0; i + j < width; ++j) v[j] = row[i + j];
    return v;
  };
  const Vector<kLanes> z = f(last(x)...);
  for (std::size_t j = 0; i + j < width; ++j) y[i + j] = z[j];
}

}  // namespace headlight::kernels::this_level::vector_math
