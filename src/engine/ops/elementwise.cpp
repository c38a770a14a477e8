#include "headlight/ops/elementwise.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "headlight/autograd/record.h"
#include "headlight/autograd/record_fused.h"
#include "headlight/core/kernels.h"
#include "headlight/core/math.h"
#include "headlight/ops/arithmetic.h"
#include "slope.h"

namespace headlight {
namespace {

template <class F>
Array mapped(const Array& x, F f) {
  Array y = empty_array(x.shape());
  std::transform(x.begin(), x.end(), y.begin(), f);
  return y;
}

// f of each number, in double.
template <class F>
Array each_number(const Array& x, F f) {
  return mapped(x, [f](Real a) { return static_cast<Real>(f(double{a})); });
}

double of_angle(double x, double (*f)(double)) {
  return std::isinf(x) || std::isnan(x) ? std::numeric_limits<double>::quiet_NaN() : f(x);
}

// 0, but NaN where y is.
Tensor zero_slope(const Tensor&, const Tensor& y) { return where(isnan(y), y.detach(), 0); }

}  // namespace

// exp      y = e^x     x̄ = ȳ ⊙ y
Tensor exp(const Tensor& x) {
  return record("exp", {x}, kernels::exp(x.array()), [](const Tensor& g, const Tensor& y) { return g * y; });
}

// log      y = ln x     x̄ = ȳ / x
Tensor log(const Tensor& x) {
  return record("log", {x}, kernels::log(x.array()), [x](const Tensor& g, const Tensor&) { return g / x; });
}

// expm1    y = e^x - 1     x̄ = ȳ ⊙ e^x
Tensor expm1(const Tensor& x) {
  return record("expm1", {x}, each_number(x.array(), math::expm1),
                [x](const Tensor& g, const Tensor&) { return g * exp(x); });
}

// log1p    y = ln(1 + x)     x̄ = ȳ / (1 + x)
Tensor log1p(const Tensor& x) {
  return record("log1p", {x}, each_number(x.array(), math::log1p),
                [x](const Tensor& g, const Tensor&) { return g / (1 + x); });
}

Tensor square(const Tensor& x) { return x * x; }

// sqrt     y = √x     x̄ = ȳ / 2y
Tensor sqrt(const Tensor& x) {
  return record("sqrt", {x}, kernels::sqrt(x.array()),
                [](const Tensor& g, const Tensor& y) { return g / (2 * y); });
}

// tanh     y = tanh x     x̄ = ȳ ⊙ (1 - y²)
Tensor tanh(const Tensor& x) {
  return record("tanh", {x}, kernels::tanh(x.array()),
                [](const Tensor& g, const Tensor& y) { return g * (1 - y * y); });
}

// sigmoid  y = 1/(1 + e^-x)     x̄ = ȳ ⊙ y(1 - y)
Tensor sigmoid(const Tensor& x) {
  return record("sigmoid", {x}, kernels::sigmoid(x.array()),
                [](const Tensor& g, const Tensor& y) { return g * y * (1 - y); });
}

// relu     y = max(x, 0)     x̄ = ȳ where x > 0
Tensor relu(const Tensor& x) {
  return record("relu", {x}, kernels::relu(x.array()),
                [x](const Tensor& g, const Tensor&) { return times_slope(g, kernels::step(x.array())); });
}

// abs      y = |x|     x̄ = ȳ ⊙ sign x
Tensor abs(const Tensor& x) {
  return record("abs", {x}, kernels::abs(x.array()),
                [x](const Tensor& g, const Tensor&) { return times_slope(g, kernels::sign(x.array())); });
}

// erf      y = 2/√π ∫₀ˣ e^(-t²) dt     x̄ = ȳ ⊙ 2/√π e^(-x²)
Tensor erf(const Tensor& x) {
  return record("erf", {x}, kernels::erf(x.array()),
                [x](const Tensor& g, const Tensor&) { return g * 1.12837916709551257390 * exp(-(x * x)); });
}

// sin      y = sin x     x̄ = ȳ ⊙ cos x
Tensor sin(const Tensor& x) {
  return record("sin", {x}, each_number(x.array(), [](double a) { return of_angle(a, math::sin); }),
                [x](const Tensor& g, const Tensor&) { return g * cos(x); });
}

// cos      y = cos x     x̄ = -ȳ ⊙ sin x
Tensor cos(const Tensor& x) {
  return record("cos", {x}, each_number(x.array(), [](double a) { return of_angle(a, math::cos); }),
                [x](const Tensor& g, const Tensor&) { return -(g * sin(x)); });
}

// sign     y = x/|x|, 0 at 0     x̄ = 0
Tensor sign(const Tensor& x) { return record("sign", {x}, kernels::sign(x.array()), zero_slope); }

// floor    y = ⌊x⌋     x̄ = 0
Tensor floor(const Tensor& x) { return record("floor", {x}, Array(xt::floor(x.array())), zero_slope); }

// softplus y = ln(1 + e^x) = max(x, 0) + ln(1 + e^-|x|)     x̄ = ȳ ⊙ σ(x)
Tensor softplus(const Tensor& x) {
  const auto of = [](double a) { return std::max(a, 0.0) + math::log1p(math::exp(-std::abs(a))); };
  return record("softplus", {x}, each_number(x.array(), of),
                [x](const Tensor& g, const Tensor&) { return g * sigmoid(x); });
}

// leaky_relu  y = x where x > 0, else a x     x̄ = ȳ where x > 0, else a ȳ
Tensor leaky_relu(const Tensor& x, Real slope) {
  const auto value = [=](Real a) { return a > 0 ? a : slope * a; };
  return record("leaky_relu", {x}, mapped(x.array(), value), [x, slope](const Tensor& g, const Tensor&) {
    return times_slope(g, mapped(x.array(), [=](Real a) { return a > 0 ? 1 : a <= 0 ? slope : a; }));
  });
}

// clamp    y = min(max(x, l), h)     x̄ = ȳ where l ≤ x ≤ h
Tensor clamp(const Tensor& x, Real lowest, Real highest) {
  check(lowest <= highest, "[clamp] expected a lowest number that is at most the highest, got {} and {}.",
        lowest, highest);
  const auto value = [=](Real a) { return a < lowest ? lowest : a > highest ? highest : a; };
  return record("clamp", {x}, mapped(x.array(), value), [=](const Tensor& g, const Tensor&) {
    const auto slope = [=](Real a) { return a < lowest || a > highest ? Real(0) : a == a ? Real(1) : a; };
    return times_slope(g, mapped(x.array(), slope));
  });
}

// gelu     y = x Φ(x)     x̄ = ȳ ⊙ (Φ(x) + x Φ'(x)), in the kernel
Tensor gelu(const Tensor& x, Gelu form) {
  const bool exact = form == Gelu::erf;
  return record_fused(
      "gelu", std::span(&x, 1), exact ? kernels::gelu_erf(x.array()) : kernels::gelu_tanh(x.array()),
      [exact](std::span<const Input> in, const Tensor& g, const Tensor&) -> std::vector<Tensor> {
        const Array& at = in[0].tensor.array();
        return {Tensor(exact ? kernels::gelu_erf_vjp(at, g.array()) : kernels::gelu_tanh_vjp(at, g.array()))};
      },
      [form](const std::vector<Tensor>& in) { return reference::gelu(in[0], form); });
}

// silu     y = x σ(x)     x̄ = ȳ ⊙ σ(x)(1 + x(1 - σ(x))), in the kernel
Tensor silu(const Tensor& x) {
  return record_fused(
      "silu", std::span(&x, 1), kernels::silu(x.array()),
      [](std::span<const Input> in, const Tensor& g, const Tensor&) -> std::vector<Tensor> {
        return {Tensor(kernels::silu_vjp(in[0].tensor.array(), g.array()))};
      },
      [](const std::vector<Tensor>& in) { return reference::silu(in[0]); });
}

// swiglu   y = silu(g) ⊙ u     ḡ = ȳ ⊙ u ⊙ silu'(g), ū = ȳ ⊙ silu(g), by the two ops
Tensor swiglu(const Tensor& gate, const Tensor& up) {
  broadcast_shapes(gate.shape(), up.shape(), "swiglu");  // throws for shapes that do not broadcast
  return silu(gate) * up;
}

// Beyond ±1000 the gates are exactly 0 and 1. An x there is cut off, because it may be infinite, or its
// square.
namespace {
constexpr Real kShut = 1000;
}  // namespace

Tensor reference::silu(const Tensor& x) {
  const Tensor near = clamp(x, -kShut, kShut);
  return where(greater(x, kShut), x, near * sigmoid(near));
}

Tensor reference::gelu(const Tensor& x, Gelu form) {
  const Tensor near = clamp(x, -kShut, kShut);
  const Tensor gate = form == Gelu::erf
                          ? erf(near * 0.70710678118654752440)
                          : headlight::tanh(0.79788456080286535588 * (near + 0.044715 * near * near * near));
  return where(greater(x, kShut), x, near * 0.5 * (1 + gate));
}

}  // namespace headlight
