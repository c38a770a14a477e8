#include "headlight/ops/arithmetic.h"

#include "headlight/autograd/record.h"
#include "headlight/core/kernels.h"
#include "headlight/ops/elementwise.h"

namespace headlight {

// sub      z = x - y (broadcasts)     x̄ = z̄     ȳ = -z̄
Tensor sub(const Tensor& x, const Tensor& y) {
  return record(
      "sub", {x, y}, kernels::sub(x.array(), y.array()),  //
      [](const Tensor& g, const Tensor&) { return g; },   //
      [](const Tensor& g, const Tensor&) { return -g; });
}

// mul      z = x ⊙ y (broadcasts)     x̄ = z̄ ⊙ y     ȳ = z̄ ⊙ x
Tensor mul(const Tensor& x, const Tensor& y) {
  return record(
      "mul", {x, y}, kernels::mul(x.array(), y.array()),      //
      [y](const Tensor& g, const Tensor&) { return g * y; },  //
      [x](const Tensor& g, const Tensor&) { return g * x; });
}

// div      z = x / y (broadcasts)     x̄ = z̄ / y     ȳ = -z̄ ⊙ z / y
Tensor div(const Tensor& x, const Tensor& y) {
  return record(
      "div", {x, y}, kernels::div(x.array(), y.array()),      //
      [y](const Tensor& g, const Tensor&) { return g / y; },  //
      [y](const Tensor& g, const Tensor& z) { return -(g * z / y); });
}

// neg      y = -x     x̄ = -ȳ
Tensor neg(const Tensor& x) {
  return record("neg", {x}, kernels::neg(x.array()), [](const Tensor& g, const Tensor&) { return -g; });
}

namespace {

// z log x where x > 0, else 0. Both branches are finite, so that neither spoils the other's gradient.
Tensor times_log_of_positive(const Tensor& z, const Tensor& x) {
  const BoolArray positive = greater(x, 0);
  return where(positive, z, 0) * log(where(positive, x, 1));
}

// y x^(y-1); 0 where y = 0, also at x = 0, where the formula is 0·∞.
Tensor slope_of_power(const Tensor& x, const Tensor& y) {
  const BoolArray constant = equal(y, 0);
  return where(constant, 0, y * pow(x, where(constant, 1, y - 1)));
}

}  // namespace

// pow      z = x^y (broadcasts)     x̄ = z̄ ⊙ y x^(y-1)     ȳ = z̄ ⊙ z ln x
Tensor pow(const Tensor& x, const Tensor& y) {
  return record(
      "pow", {x, y}, kernels::pow(x.array(), y.array()),  //
      [x, y](const Tensor& g, const Tensor&) { return g * slope_of_power(x, y); },
      [x](const Tensor& g, const Tensor& z) { return g * times_log_of_positive(z, x); });
}

// maximum  z = max(x, y)     x̄ = z̄ where x > y, z̄/2 where x = y     ȳ likewise
Tensor maximum(const Tensor& x, const Tensor& y) {
  const auto share = [](const Tensor& a, const Tensor& b) {  // 1, ½ or 0; a constant
    return Tensor(kernels::greater(a.array(), b.array())) +
           Tensor(kernels::equal(a.array(), b.array())) * 0.5;
  };
  return record(
      "maximum", {x, y}, kernels::maximum(x.array(), y.array()),
      [x, y, share](const Tensor& g, const Tensor&) { return g * share(x, y); },
      [x, y, share](const Tensor& g, const Tensor&) { return g * share(y, x); });
}

Tensor minimum(const Tensor& x, const Tensor& y) { return -maximum(-x, -y); }

// where    z = c ? x : y     x̄ = c ? z̄ : 0     ȳ = c ? 0 : z̄
Tensor where(const BoolArray& condition, const Tensor& x, const Tensor& y) {
  return record(
      "where", {x, y}, kernels::where(condition, x.array(), y.array()),
      [condition](const Tensor& g, const Tensor&) { return where(condition, g, 0); },
      [condition](const Tensor& g, const Tensor&) { return where(condition, 0, g); });
}

// masked_fill: where(mask, value, x), of x's shape
Tensor masked_fill(const Tensor& x, const BoolArray& mask, Real value) {
  check(broadcasts_to(mask.shape(), x.shape()), "[masked_fill] a mask of shape {} does not broadcast to {}.",
        mask.shape(), x.shape());
  return where(mask, value, x);
}

}  // namespace headlight
