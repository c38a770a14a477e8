#include "headlight/core/elementwise.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "headlight/core/check.h"
#include "headlight/core/math.h"
#include "headlight/core/strided_loop.h"
#include "vector_math.h"
#include "zip.h"

namespace headlight::kernels {
namespace {

template <class F>
Array map(const Array& x, F f) {
  Array y = empty_array(x.shape());
  const Real* in = x.data();
  Real* out = y.data();
  const std::size_t n = x.size();
  for (std::size_t i = 0; i < n; ++i) out[i] = f(in[i]);
  return y;
}

// The same, vector by vector, for an f that takes vectors.
template <class F>
Array map_vectors(const Array& x, F f) {
  Array y = empty_array(x.shape());
  vector_math::map(x.size(), y.data(), f, x.data());
  return y;
}

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

// |x|^y of floats, computed in double so that its rounding does not show, then the sign. Equals std::pow at
// 0, ∞ and NaN.
Real power(Real x, Real y) {
  if constexpr (kDouble) return std::pow(x, y);
  if (x == 1 || y == 0) return 1;
  const bool whole = std::floor(y) == y, odd = whole && std::abs(std::fmod(y, Real(2))) == 1;
  if (std::isfinite(x) && x < 0 && !whole) return std::numeric_limits<Real>::quiet_NaN();
  const double size = std::abs(x) == 1 ? 1 : math::power(double{std::abs(x)}, double{y});
  return static_cast<Real>(std::signbit(x) && odd ? -size : size);
}

// 1/(1 + e^-x), for vectors.
template <class V>
V logistic(V x) {
  const V zero{}, one = zero + Real(1);
  const V e = vector_math::exp(x < zero ? x : -x);  // at most 1
  return (x < zero ? e : one) / (one + e);
}

void check_cotangent(const char* op, const Array& x, const Array& g) {
  check(x.shape() == g.shape(), "[{}] a cotangent of shape {} does not fit an input of shape {}.", op,
        g.shape(), x.shape());
}

}  // namespace

Array neg(const Array& x) {
  return map(x, [](Real a) { return -a; });
}
Array exp(const Array& x) {
  return map_vectors(x, [](auto a) { return vector_math::exp(a); });
}
Array log(const Array& x) {
  return map(x, [](Real a) { return vector_math::log(a); });
}
Array sqrt(const Array& x) {
  return map(x, [](Real a) { return std::sqrt(a); });
}
Array tanh(const Array& x) {
  return map_vectors(x, [](auto a) { return vector_math::tanh(a); });
}
Array sigmoid(const Array& x) {
  return map_vectors(x, [](auto a) { return logistic(a); });
}
Array relu(const Array& x) {
  return map(x, [](Real a) { return a < 0 ? Real(0) : a; });  // a NaN stays one
}
Array abs(const Array& x) {
  return map(x, [](Real a) { return std::abs(a); });
}
Array sign(const Array& x) {
  return map(x, [](Real a) { return a > 0 ? Real(1) : a < 0 ? Real(-1) : Real(0); });
}
Array erf(const Array& x) {
  return map(x, [](Real a) { return vector_math::erf(a); });
}
Array step(const Array& x) {
  return map(x, [](Real a) { return a > 0 ? Real(1) : Real(0); });
}

Array gelu_tanh(const Array& x) {
  return map_vectors(x, [](auto a) { return Real(0.5) * a * (gelu_gate(a) + Real(1)); });
}
Array gelu_erf(const Array& x) {
  return map(x, [](Real a) { return a * normal_cdf(a); });
}
Array gelu_tanh_vjp(const Array& x, const Array& cotangent) {
  check_cotangent("gelu", x, cotangent);
  Array dx = empty_array(x.shape());
  vector_math::map(
      x.size(), dx.data(),
      [](auto a, auto g) {
        const auto one = decltype(a){} + Real(1), t = gelu_gate(a);
        const auto inner = kRoot2OverPi * multiply_add(3 * kCubic * a, a, one);
        return g * Real(0.5) * multiply_add(a * multiply_add(-t, t, one), inner, one + t);
      },
      x.data(), cotangent.data());
  return dx;
}
Array gelu_erf_vjp(const Array& x, const Array& cotangent) {
  check_cotangent("gelu", x, cotangent);
  const Array density = exp(map(x, [](Real a) { return Real(-0.5) * a * a; }));
  Array dx = empty_array(x.shape());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Real a = x.data()[i];
    dx.data()[i] = cotangent.data()[i] * multiply_add(a * kRoot1Over2Pi, density.data()[i], normal_cdf(a));
  }
  return dx;
}

Array silu(const Array& x) {
  return map_vectors(x, [](auto a) { return a * logistic(a); });
}
Array silu_vjp(const Array& x, const Array& cotangent) {
  check_cotangent("silu", x, cotangent);
  Array dx = empty_array(x.shape());
  vector_math::map(
      x.size(), dx.data(),
      [](auto a, auto g) {
        const auto one = decltype(a){} + Real(1), s = logistic(a);
        return g * s * multiply_add(a, one - s, one);
      },
      x.data(), cotangent.data());
  return dx;
}

Array sub(const Array& x, const Array& y) {
  return zip("sub", x, y, [](Real a, Real b) { return a - b; });
}
Array mul(const Array& x, const Array& y) {
  return zip("mul", x, y, [](Real a, Real b) { return a * b; });
}
Array div(const Array& x, const Array& y) {
  return zip("div", x, y, [](Real a, Real b) { return a / b; });
}
Array pow(const Array& x, const Array& y) {
  if (y.size() == 1 && *y.data() == 2) return zip("pow", x, y, [](Real a, Real) { return a * a; });
  return zip("pow", x, y, power);
}
Array maximum(const Array& x, const Array& y) {
  return zip("maximum", x, y, [](Real a, Real b) { return a > b || a != a ? a : b; });
}
Array greater(const Array& x, const Array& y) {
  return zip("greater", x, y, [](Real a, Real b) { return a > b ? Real(1) : Real(0); });
}
Array equal(const Array& x, const Array& y) {
  return zip("equal", x, y, [](Real a, Real b) { return a == b ? Real(1) : Real(0); });
}

Array where(const BoolArray& condition, const Array& x, const Array& y) {
  const Shape of_values = broadcast_shapes(x.shape(), y.shape(), "where");
  const Shape shape = broadcast_shapes(condition.shape(), of_values, "where");
  Array z = empty_array(shape);
  Real* out = z.data();
  const StridedLoop<3> loop(shape,
                            {broadcast_strides(condition.shape(), shape), broadcast_strides(x.shape(), shape),
                             broadcast_strides(y.shape(), shape)});
  loop.each_run([&](std::size_t n, const auto& steps, const auto& offsets) {
    const bool* c = condition.data() + offsets[0];
    const Real *a = x.data() + offsets[1], *b = y.data() + offsets[2];
    for (std::size_t i = 0; i < n; ++i) *out++ = c[i * steps[0]] ? a[i * steps[1]] : b[i * steps[2]];
  });
  return z;
}

}  // namespace headlight::kernels
