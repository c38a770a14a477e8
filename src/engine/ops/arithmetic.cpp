#include "headlight/ops/arithmetic.h"

#include "headlight/autograd/record.h"
#include "headlight/core/kernels.h"
#include "headlight/ops/elementwise.h"
#include "slope.h"

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

// z log x where x > 0, else 0, and 0 where z is 0: at x = ∞ the product is 0·∞. Both branches are finite, so
// that neither spoils the other's gradient.
Tensor times_log_of_positive(const Tensor& z, const Tensor& x) {
  const BoolArray counts = greater(x, 0) && not_equal(z, 0);
  return where(counts, z, 0) * log(where(counts, x, 1));
}

// y x^(y-1); 0 where y = 0, also at x = 0, where the formula is 0·∞.
Tensor slope_of_power(const Tensor& x, const Tensor& y) {
  const BoolArray constant = equal(y, 0);
  return where(constant, 0, y * pow(x, where(constant, 1, y - 1)));
}

// x's share of the gradient of the larger number: 1, ½ or 0. A NaN is not comparable, so 0/0 makes the share
// NaN.
Array share_of_first(const Array& x, const Array& y) {
  const Array larger = kernels::greater(x, y), smaller = kernels::greater(y, x), tie = kernels::equal(x, y);
  return kernels::div(kernels::add(larger, kernels::mul(tie, full_array({}, Real(0.5)))),
                      kernels::add(kernels::add(larger, smaller), tie));
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
  return record(
      "maximum", {x, y}, kernels::maximum(x.array(), y.array()),
      [x, y](const Tensor& g, const Tensor&) { return times_slope(g, share_of_first(x.array(), y.array())); },
      [x, y](const Tensor& g, const Tensor&) {
        return times_slope(g, share_of_first(y.array(), x.array()));
      });
}

Tensor minimum(const Tensor& x, const Tensor& y) {
  broadcast_shapes(x.shape(), y.shape(), "minimum");  // throws for shapes that do not broadcast
  return -maximum(-x, -y);
}

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
