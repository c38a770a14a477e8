#include "headlight/autograd/linear_ops.h"

#include "headlight/autograd/record.h"
#include "headlight/core/broadcast_kernels.h"

namespace headlight {

// add      z = x + y (broadcasts)     x̄ = z̄     ȳ = z̄
Tensor add(const Tensor& x, const Tensor& y) {
  return record(
      "add", {x, y}, kernels::add(x.array(), y.array()), [](const Tensor& g, const Tensor&) { return g; },
      [](const Tensor& g, const Tensor&) { return g; });
}

// broadcast_to    y = x repeated      x̄ = ȳ summed over what was repeated (the engine does it)
Tensor broadcast_to(const Tensor& x, const Shape& shape) {
  return record("broadcast_to", {x}, kernels::broadcast_to(x.array(), shape),
                [](const Tensor& g, const Tensor&) { return g; });
}

// sum_to   y = Σ x over repeated axes     x̄ = ȳ repeated
Tensor sum_to(const Tensor& x, const Shape& shape) {
  return record("sum_to", {x}, kernels::sum_to(x.array(), shape),
                [to = x.shape()](const Tensor& g, const Tensor&) { return broadcast_to(g, to); });
}

// identity   y = x     x̄ = ȳ
Tensor identity(const Tensor& x) {
  return record("identity", {x}, Array(x.array()), [](const Tensor& g, const Tensor&) { return g; });
}

}  // namespace headlight
