#include "headlight/ops/reduce.h"

#include "headlight/autograd/record.h"
#include "headlight/core/kernels.h"
#include "headlight/ops/arithmetic.h"
#include "headlight/ops/rearrange.h"

namespace headlight {
namespace {

// The shapes and the count of a reduction.
struct Plan {
  Shape kept;             // reduced axes have length 1
  Shape result;           // kept, or without the reduced axes
  std::size_t count = 1;  // numbers per result

  Plan(const char* op, const Tensor& x, const Axes& names, bool keep_dims) {
    const auto axes = normalize_axes(names, x.dim(), op);
    kept = reduced_shape(x.shape(), axes, true);
    result = reduced_shape(x.shape(), axes, keep_dims);
    for (std::size_t axis : axes) count *= x.shape()[axis];
  }
};

}  // namespace

// sum      y = Σ x     x̄ = ȳ repeated
Tensor sum(const Tensor& x, const Axes& axes, bool keep_dims) {
  const Plan plan("sum", x, axes, keep_dims);
  return record("sum", {x}, kernels::reshape(kernels::sum_to(x.array(), plan.kept), plan.result),
                [kept = plan.kept, from = x.shape()](const Tensor& g, const Tensor&) {
                  return broadcast_to(reshape_to(g, kept), from);
                });
}

// mean     y = Σ x / n
Tensor mean(const Tensor& x, const Axes& axes, bool keep_dims) {
  const Plan plan("mean", x, axes, keep_dims);
  check(plan.count > 0, "[mean] the mean over no numbers is undefined: shape {}.", x.shape());
  return sum(x, axes, keep_dims) * (1.0 / static_cast<double>(plan.count));
}

// mean_squared_error     z = Σ (x - y)² / n
Tensor mean_squared_error(const Tensor& x, const Tensor& y) {
  check(x.shape() == y.shape(),
        "[mean_squared_error] expected equal shapes, got {} and {}. Hint: reshape() one of them.", x.shape(),
        y.shape());
  const Tensor difference = x - y;
  return mean(difference * difference);
}

// The deviations from a constant near the mean have a mean of their own, which a float holds.
Tensor centered(const Tensor& x, const Axes& axes) {
  const Tensor near = x - mean(x, axes, true).detach();
  return near - mean(near, axes, true);
}

// var      y = Σ (x - mean x)² / (n - correction)
Tensor var(const Tensor& x, const Axes& axes, bool keep_dims, int correction) {
  const Plan plan("var", x, axes, keep_dims);
  const auto n = static_cast<double>(plan.count) - correction;
  check(n > 0, "[var] {} numbers are too few with correction {}.", plan.count, correction);
  const Tensor deviations = centered(x, axes);
  return sum(deviations * deviations, axes, keep_dims) * (1 / n);
}

// max      y = max x     x̄ = ȳ where x = y, shared evenly among equals
Tensor max(const Tensor& x, const Axes& axes, bool keep_dims) {
  const Plan plan("max", x, axes, keep_dims);
  check(plan.count > 0, "[max] the maximum over no numbers is undefined: shape {}.", x.shape());
  const Array top = kernels::max_to(x.array(), plan.kept);
  return record("max", {x}, kernels::reshape(top, plan.result),
                [x, top, kept = plan.kept](const Tensor& g, const Tensor&) {
                  const Array is_top = kernels::equal(x.array(), top);
                  const Array share = kernels::div(is_top, kernels::sum_to(is_top, kept));
                  return reshape_to(g, kept) * Tensor(share);
                });
}

}  // namespace headlight
