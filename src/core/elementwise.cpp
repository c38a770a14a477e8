#include <algorithm>
#include <cmath>

#include "headlight/core/check.h"
#include "headlight/core/kernels.h"
#include "headlight/core/walk.h"
#include "vector_math.h"

namespace headlight::inline HEADLIGHT_PRECISION::kernels {
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

template <class F>
Array zip(const char* op, const Array& x, const Array& y, F f) {
  if (x.shape() == y.shape()) {
    Array z = empty_array(x.shape());
    const Real *a = x.data(), *b = y.data();
    Real* out = z.data();
    const std::size_t n = z.size();
    for (std::size_t i = 0; i < n; ++i) out[i] = f(a[i], b[i]);
    return z;
  }
  const Shape shape = broadcast_shapes(x.shape(), y.shape(), op);
  Array z = empty_array(shape);
  Real* out = z.data();
  const Walk<2> walk(shape, {broadcast_strides(x.shape(), shape), broadcast_strides(y.shape(), shape)});
  walk.each_run([&](std::size_t n, const auto& steps, const auto& offsets) {
    const Real *a = x.data() + offsets[0], *b = y.data() + offsets[1];
    if (steps[0] == 0) {
      const Real left = *a;
      for (std::size_t i = 0; i < n; ++i) out[i] = f(left, b[i]);
    } else if (steps[1] == 0) {
      const Real right = *b;
      for (std::size_t i = 0; i < n; ++i) out[i] = f(a[i], right);
    } else {
      for (std::size_t i = 0; i < n; ++i) out[i] = f(a[i], b[i]);
    }
    out += n;
  });
  return z;
}

constexpr Real kRoot2OverPi = static_cast<Real>(0.79788456080286535588);  // √(2/π)
constexpr Real kCubic = static_cast<Real>(0.044715);
constexpr Real kRootHalf = static_cast<Real>(0.70710678118654752440);      // √½
constexpr Real kRoot1Over2Pi = static_cast<Real>(0.39894228040143267794);  // 1/√(2π)

Real gelu_gate(Real x) { return vector_math::tanh(kRoot2OverPi * (x + kCubic * x * x * x)); }
Real normal_cdf(Real x) { return Real(0.5) * (1 + std::erf(x * kRootHalf)); }

template <class F>
Array map_with(const Array& x, const Array& g, F f) {
  check(x.shape() == g.shape(), "[gelu] a cotangent of shape {} does not fit an input of shape {}.",
        g.shape(), x.shape());
  return zip("gelu", x, g, f);
}

}  // namespace

Array neg(const Array& x) {
  return map(x, [](Real a) { return -a; });
}
Array exp(const Array& x) {
  return map(x, [](Real a) { return vector_math::exp(a); });
}
Array log(const Array& x) {
  return map(x, [](Real a) { return std::log(a); });
}
Array sqrt(const Array& x) {
  return map(x, [](Real a) { return std::sqrt(a); });
}
Array tanh(const Array& x) {
  return map(x, [](Real a) { return vector_math::tanh(a); });
}
Array sigmoid(const Array& x) {
  return map(x, [](Real a) {
    const Real e = vector_math::exp(-std::abs(a));  // at most 1
    return (a >= 0 ? Real(1) : e) / (1 + e);
  });
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
  return map(x, [](Real a) { return std::erf(a); });
}
Array step(const Array& x) {
  return map(x, [](Real a) { return a > 0 ? Real(1) : Real(0); });
}

Array gelu_tanh(const Array& x) {
  return map(x, [](Real a) { return Real(0.5) * a * (1 + gelu_gate(a)); });
}
Array gelu_erf(const Array& x) {
  return map(x, [](Real a) { return a * normal_cdf(a); });
}
Array gelu_tanh_vjp(const Array& x, const Array& cotangent) {
  return map_with(x, cotangent, [](Real a, Real g) {
    const Real t = gelu_gate(a);
    const Real inner = kRoot2OverPi * (1 + 3 * kCubic * a * a);
    return g * Real(0.5) * (1 + t + a * (1 - t * t) * inner);
  });
}
Array gelu_erf_vjp(const Array& x, const Array& cotangent) {
  return map_with(x, cotangent, [](Real a, Real g) {
    return g * (normal_cdf(a) + a * kRoot1Over2Pi * vector_math::exp(Real(-0.5) * a * a));
  });
}

Array add(const Array& x, const Array& y) {
  return zip("add", x, y, [](Real a, Real b) { return a + b; });
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
  return zip("pow", x, y, [](Real a, Real b) { return std::pow(a, b); });
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

void add_into(Array& y, const Array& x) {
  check(x.shape() == y.shape(), "[add_into] shapes differ: {} and {}.", y.shape(), x.shape());
  const Real* in = x.data();
  Real* out = y.data();
  const std::size_t n = y.size();
  for (std::size_t i = 0; i < n; ++i) out[i] += in[i];
}

Array where(const BoolArray& condition, const Array& x, const Array& y) {
  const Shape of_values = broadcast_shapes(x.shape(), y.shape(), "where");
  const Shape shape = broadcast_shapes(condition.shape(), of_values, "where");
  Array z = empty_array(shape);
  Real* out = z.data();
  const Walk<3> walk(shape, {broadcast_strides(condition.shape(), shape), broadcast_strides(x.shape(), shape),
                             broadcast_strides(y.shape(), shape)});
  walk.each_run([&](std::size_t n, const auto& steps, const auto& offsets) {
    const bool* c = condition.data() + offsets[0];
    const Real *a = x.data() + offsets[1], *b = y.data() + offsets[2];
    for (std::size_t i = 0; i < n; ++i) *out++ = c[i * steps[0]] ? a[i * steps[1]] : b[i * steps[2]];
  });
  return z;
}

}  // namespace headlight::inline HEADLIGHT_PRECISION::kernels
