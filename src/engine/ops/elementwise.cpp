#include "headlight/ops/elementwise.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "headlight/autograd/record.h"
#include "headlight/autograd/record_fused.h"
#include "headlight/core/kernels.h"
#include "headlight/core/math.h"
#include "headlight/ops/arithmetic.h"

namespace headlight {
namespace {

// f of each number, in double.
template <class F>
Array each_number(const Array& x, F f) {
  Array y = empty_array(x.shape());
  std::transform(x.begin(), x.end(), y.begin(), [f](Real a) { return static_cast<Real>(f(double{a})); });
  return y;
}

double of_angle(double x, double (*f)(double)) {
  return std::isinf(x) || std::isnan(x) ? std::numeric_limits<double>::quiet_NaN() : f(x);
}

Tensor zero_slope(const Tensor& g, const Tensor&) { return zeros(g.shape()); }

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
                [x](const Tensor& g, const Tensor&) { return g * Tensor(kernels::step(x.array())); });
}

// abs      y = |x|     x̄ = ȳ ⊙ sign x
Tensor abs(const Tensor& x) {
  return record("abs", {x}, kernels::abs(x.array()),
                [x](const Tensor& g, const Tensor&) { return g * Tensor(kernels::sign(x.array())); });
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

Tensor leaky_relu(const Tensor& x, Real slope) { return where(greater(x, 0), x, slope * x); }

Tensor clamp(const Tensor& x, Real lowest, Real highest) {
  check(lowest <= highest, "[clamp] expected a lowest number that is at most the highest, got {} and {}.",
        lowest, highest);
  return where(less(x, lowest), lowest, where(greater(x, highest), highest, x));
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
Tensor swiglu(const Tensor& gate, const Tensor& up) { return silu(gate) * up; }

Tensor reference::silu(const Tensor& x) { return x * sigmoid(x); }

Tensor reference::gelu(const Tensor& x, Gelu form) {
  if (form == Gelu::erf) return x * 0.5 * (1 + erf(x * 0.70710678118654752440));
  return x * 0.5 * (1 + headlight::tanh(0.79788456080286535588 * (x + 0.044715 * x * x * x)));
}

}  // namespace headlight
