#include "kernels.h"
#include "vector_math.h"

namespace headlight::kernels::this_level {
namespace {

constexpr Real kRoot2OverPi = static_cast<Real>(0.79788456080286535588);  // √(2/π)
constexpr Real kCubic = static_cast<Real>(0.044715);
constexpr Real kRootHalf = static_cast<Real>(0.70710678118654752440);      // √½
constexpr Real kRoot1Over2Pi = static_cast<Real>(0.39894228040143267794);  // 1/√(2π)

// tanh(√(2/π)(x + 0.044715 x³)), for vectors.
template <class V>
V gelu_gate(V x) {
  return vector_math::tanh(kRoot2OverPi * multiply_add(kCubic * x * x, x, x));
}

Real normal_cdf(Real x) { return Real(0.5) * (1 + vector_math::erf(x * kRootHalf)); }

// The larger and the smaller of two; x where one of them is NaN. g++ 12 makes two instructions of a ? b : c.
template <class V>
V larger_of(V bound, V x) {
#if defined(__AVX512F__)
  if constexpr (sizeof(V) == 64 && kDouble) return (V)_mm512_max_pd((__m512d)bound, (__m512d)x);
  if constexpr (sizeof(V) == 64 && !kDouble) return (V)_mm512_max_ps((__m512)bound, (__m512)x);
#elif defined(__FMA__)
  if constexpr (sizeof(V) == 32 && kDouble) return (V)_mm256_max_pd((__m256d)bound, (__m256d)x);
  if constexpr (sizeof(V) == 32 && !kDouble) return (V)_mm256_max_ps((__m256)bound, (__m256)x);
#endif
  return bound > x ? bound : x;
}
template <class V>
V smaller_of(V bound, V x) {
#if defined(__AVX512F__)
  if constexpr (sizeof(V) == 64 && kDouble) return (V)_mm512_min_pd((__m512d)bound, (__m512d)x);
  if constexpr (sizeof(V) == 64 && !kDouble) return (V)_mm512_min_ps((__m512)bound, (__m512)x);
#elif defined(__FMA__)
  if constexpr (sizeof(V) == 32 && kDouble) return (V)_mm256_min_pd((__m256d)bound, (__m256d)x);
  if constexpr (sizeof(V) == 32 && !kDouble) return (V)_mm256_min_ps((__m256)bound, (__m256)x);
#endif
  return bound < x ? bound : x;
}

// x where a gate has not closed. Beyond, gates and their slopes are exactly 0 or 1, whatever x is; the
// product of 0 and an x that is infinite, or whose square is, would be NaN.
constexpr Real kClosed = 1000;
template <class V>
V at_least_closed(V x) {
  return larger_of(V{} - kClosed, x);
}
template <class V>
V within_closed(V x) {
  return smaller_of(V{} + kClosed, at_least_closed(x));
}

// 1/(1 + e^-x), for vectors.
template <class V>
V logistic(V x) {
  const V zero{}, one = zero + Real(1);
  const V e = vector_math::exp(x < zero ? x : -x);  // at most 1
  return (x < zero ? e : one) / (one + e);
}

}  // namespace

void apply_exp(const Real* x, Real* y, std::size_t n) {
  vector_math::map(
      n, y, [](auto a) { return vector_math::exp(a); }, x);
}
void apply_log(const Real* x, Real* y, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) y[i] = vector_math::log(x[i]);
}
void apply_tanh(const Real* x, Real* y, std::size_t n) {
  vector_math::map(
      n, y, [](auto a) { return vector_math::tanh(a); }, x);
}
void apply_sigmoid(const Real* x, Real* y, std::size_t n) {
  vector_math::map(
      n, y, [](auto a) { return logistic(a); }, x);
}
void apply_erf(const Real* x, Real* y, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) y[i] = vector_math::erf(x[i]);
}

void apply_silu(const Real* x, Real* y, std::size_t n) {
  vector_math::map(
      n, y, [](auto a) { return at_least_closed(a) * logistic(a); }, x);
}
void apply_silu_vjp(const Real* x, const Real* dy, Real* dx, std::size_t n) {
  vector_math::map(
      n, dx,
      [](auto x_i, auto g) {
        const auto a = within_closed(x_i), one = decltype(x_i){} + Real(1), s = logistic(a);
        return g * s * multiply_add(a, one - s, one);
      },
      x, dy);
}

void apply_gelu_tanh(const Real* x, Real* y, std::size_t n) {
  vector_math::map(
      n, y, [](auto a) { return Real(0.5) * at_least_closed(a) * (gelu_gate(a) + Real(1)); }, x);
}
void apply_gelu_erf(const Real* x, Real* y, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) y[i] = at_least_closed(x[i]) * normal_cdf(x[i]);
}
void apply_gelu_tanh_vjp(const Real* x, const Real* dy, Real* dx, std::size_t n) {
  vector_math::map(
      n, dx,
      [](auto x_i, auto g) {
        const auto a = within_closed(x_i), one = decltype(x_i){} + Real(1), t = gelu_gate(a);
        const auto inner = kRoot2OverPi * multiply_add(3 * kCubic * a, a, one);
        return g * Real(0.5) * multiply_add(a * multiply_add(-t, t, one), inner, one + t);
      },
      x, dy);
}
void apply_gelu_erf_vjp(const Real* x, const Real* dy, Real* dx, std::size_t n) {
  vector_math::map(
      n, dx, [](auto a) { return vector_math::exp(Real(-0.5) * a * a); }, x);
  for (std::size_t i = 0; i < n; ++i)
    dx[i] = dy[i] * multiply_add(within_closed(x[i]) * kRoot1Over2Pi, dx[i], normal_cdf(x[i]));
}

}  // namespace headlight::kernels::this_level
