#include "headlight/core/elementwise.h"

#include <cmath>
#include <limits>

#include "function_kernels.h"
#include "headlight/core/check.h"
#include "headlight/core/math.h"
#include "headlight/core/strided_loop.h"
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

// The same by a kernel.
template <class Kernel>
Array apply(Kernel kernel, const Array& x) {
  Array y = empty_array(x.shape());
  kernel(x.data(), y.data(), x.size());
  return y;
}

template <class Kernel>
Array apply_vjp(Kernel kernel, const char* op, const Array& x, const Array& cotangent) {
  check(x.shape() == cotangent.shape(), "[{}] a cotangent of shape {} does not fit an input of shape {}.", op,
        cotangent.shape(), x.shape());
  Array dx = empty_array(x.shape());
  kernel(x.data(), cotangent.data(), dx.data(), x.size());
  return dx;
}

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

}  // namespace

Array neg(const Array& x) {
  return map(x, [](Real a) { return -a; });
}
Array exp(const Array& x) { return apply(apply_exp, x); }
Array log(const Array& x) { return apply(apply_log, x); }
Array sqrt(const Array& x) {
  return map(x, [](Real a) { return std::sqrt(a); });
}
Array tanh(const Array& x) { return apply(apply_tanh, x); }
Array sigmoid(const Array& x) { return apply(apply_sigmoid, x); }
Array relu(const Array& x) {
  return map(x, [](Real a) { return a < 0 ? Real(0) : a; });  // a NaN stays one
}
Array abs(const Array& x) {
  return map(x, [](Real a) { return std::abs(a); });
}
Array sign(const Array& x) {
  return map(x, [](Real a) { return a > 0 ? Real(1) : a < 0 ? Real(-1) : a == 0 ? Real(0) : a; });
}
Array erf(const Array& x) { return apply(apply_erf, x); }
Array step(const Array& x) {
  return map(x, [](Real a) { return a > 0 ? Real(1) : a <= 0 ? Real(0) : a; });
}

Array gelu_tanh(const Array& x) { return apply(apply_gelu_tanh, x); }
Array gelu_erf(const Array& x) { return apply(apply_gelu_erf, x); }
Array gelu_tanh_vjp(const Array& x, const Array& cotangent) {
  return apply_vjp(apply_gelu_tanh_vjp, "gelu", x, cotangent);
}
Array gelu_erf_vjp(const Array& x, const Array& cotangent) {
  return apply_vjp(apply_gelu_erf_vjp, "gelu", x, cotangent);
}

Array silu(const Array& x) { return apply(apply_silu, x); }
Array silu_vjp(const Array& x, const Array& cotangent) {
  return apply_vjp(apply_silu_vjp, "silu", x, cotangent);
}

Array sub(const Array& x, const Array& y) {
  return zip("sub", x, y, [](Real a, Real b) { return a - b; });
}
Array mul(const Array& x, const Array& y) {
  return zip("mul", x, y, [](Real a, Real b) { return a * b; });
}
Array mul_slope(const Array& x, const Array& slope) {
  return zip("mul", x, slope, [](Real a, Real s) {
    const Real product = a * s;
    return s == 0 && product != product && a == a ? Real(0) : product;
  });
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
