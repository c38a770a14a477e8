#include "headlight/ops/reduce.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "headlight/autograd/record.h"
#include "headlight/core/kernels.h"
#include "headlight/ops/arithmetic.h"
#include "headlight/ops/elementwise.h"
#include "headlight/ops/rearrange.h"
#include "powers_of_two.h"
#include "slope.h"

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

// √x with the derivative 0 at 0.
Tensor root(const Tensor& x) {
  const BoolArray zero = equal(x, 0);
  return where(zero, 0, sqrt(where(zero, 1, x)));
}

// The count of numbers less the correction.
double check_count(const char* op, const Plan& plan, int correction) {
  const auto n = static_cast<double>(plan.count) - correction;
  check(n > 0, "[{}] {} numbers are too few with correction {}.", op, plan.count, correction);
  return n;
}

// f(x) for an f with f(s·x) = s·f(x) that squares x: where squares are out of range, f of scaled numbers.
template <class F>
Tensor of_scaled(const Tensor& x, const Plan& plan, F f) {
  constexpr Real kLarge = kDouble ? Real(0x1p300) : Real(0x1p40);
  const std::optional<Array> scales = powers_of_two(x.array(), plan.kept, 1 / kLarge, kLarge);
  if (!scales) return f(x);
  return f(x * Tensor(*scales)) / Tensor(kernels::reshape(*scales, plan.result));
}

// x as a matrix, whose rows hold the numbers of one result each.
Tensor rows_to_reduce(const Tensor& x, const std::vector<std::size_t>& reduced, std::size_t count) {
  Axes order;
  for (std::size_t i = 0; i < x.dim(); ++i)
    if (std::find(reduced.begin(), reduced.end(), i) == reduced.end()) order.push_back(static_cast<int>(i));
  const std::size_t rows = size_of(reduced_shape(x.shape(), reduced, false));
  for (std::size_t axis : reduced) order.push_back(static_cast<int>(axis));
  return reshape_to(permute(x, order), {rows, count});
}

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
  const Plan plan("centered", x, axes, true);
  check(plan.count > 0, "[centered] the mean over no numbers is undefined: shape {}.", x.shape());
  const Tensor near = x - mean(x, axes, true).detach();
  return near - mean(near, axes, true);
}

// var      y = Σ (x - mean x)² / (n - correction)
Tensor var(const Tensor& x, const Axes& axes, bool keep_dims, int correction) {
  const Plan plan("var", x, axes, keep_dims);
  const double n = check_count("var", plan, correction);
  const Tensor deviations = centered(x, axes);
  return sum(deviations * deviations, axes, keep_dims) * (1 / n);
}

Tensor stddev(const Tensor& x, const Axes& axes, bool keep_dims, int correction) {
  const Plan plan("stddev", x, axes, keep_dims);
  check_count("stddev", plan, correction);
  return of_scaled(x, plan,
                   [&](const Tensor& scaled) { return root(var(scaled, axes, keep_dims, correction)); });
}

Tensor norm(const Tensor& x, const Axes& axes, bool keep_dims) {
  const Plan plan("norm", x, axes, keep_dims);
  return of_scaled(x, plan,
                   [&](const Tensor& scaled) { return root(sum(scaled * scaled, axes, keep_dims)); });
}

// Multiplies the halves of each row until one number is left. (Dividing the product by each factor would be
// wrong for zeros.)
Tensor prod(const Tensor& x, const Axes& axes, bool keep_dims) {
  const Plan plan("prod", x, axes, keep_dims);
  if (plan.count == 0) return sum(x, axes, keep_dims) + 1;
  Tensor y = rows_to_reduce(x, normalize_axes(axes, x.dim(), "prod"), plan.count);
  for (int n = static_cast<int>(plan.count); n > 1; n = n / 2 + n % 2) {
    const int half = n / 2;
    const Tensor halved = slice(y, 1, 0, half) * slice(y, 1, half, 2 * half);
    y = n % 2 == 0 ? halved : concat({halved, slice(y, 1, 2 * half)}, 1);
  }
  return reshape_to(y, plan.result);
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
                  return times_slope(reshape_to(g, kept), share);
                });
}

Tensor min(const Tensor& x, const Axes& axes, bool keep_dims) {
  const Plan plan("min", x, axes, keep_dims);
  check(plan.count > 0, "[min] the minimum over no numbers is undefined: shape {}.", x.shape());
  return -max(-x, axes, keep_dims);
}

// The largest element is subtracted and added as a constant, because it cancels.
Tensor logsumexp(const Tensor& x, const Axes& axes, bool keep_dims) {
  const Plan plan("logsumexp", x, axes, keep_dims);
  check(plan.count > 0, "[logsumexp] the sum over no numbers has no logarithm: shape {}.", x.shape());
  Array largest = kernels::max_to(x.array(), plan.kept);
  for (Real& m : largest) m = std::isinf(m) ? 0 : m;
  const Tensor shift(std::move(largest)), total = sum(exp(x - shift), axes, true);
  const BoolArray none = equal(total, 0);
  constexpr Real kInf = std::numeric_limits<Real>::infinity();
  return reshape_to(where(none, -kInf, log(where(none, 1, total)) + shift), plan.result);
}

// cumsum   yᵢ = Σ_{j≤i} xⱼ     x̄ⱼ = Σ_{i≥j} ȳᵢ, the running sum from the other end
Tensor cumsum(const Tensor& x, int axis) {
  const std::size_t on = normalize_axis(axis, x.dim(), "cumsum");
  // In double, so that long sums stay accurate.
  Array y = x.size() == 0 ? x.array() : Array(xt::cumsum<double>(x.array(), static_cast<std::ptrdiff_t>(on)));
  return record("cumsum", {x}, std::move(y),
                [axis](const Tensor& g, const Tensor&) { return flip(cumsum(flip(g, axis), axis), axis); });
}

}  // namespace headlight
