#include "headlight/ops/sort.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "headlight/core/check.h"
#include "headlight/core/strided_loop.h"
#include "headlight/ops/arithmetic.h"
#include "headlight/ops/rearrange.h"

namespace headlight {
namespace {

bool smaller(Real a, Real b) { return a < b || (std::isnan(b) && !std::isnan(a)); }

// Visits each line of numbers along the axis: where it begins, and the step from one number to the next.
template <class Visit>
void each_line(const Shape& shape, std::size_t axis, Visit visit) {
  const std::size_t step = row_major_strides(shape)[axis], block = step * shape[axis];
  if (block == 0) return;
  for (std::size_t start = 0; start < size_of(shape); start += block)
    for (std::size_t i = 0; i < step; ++i) visit(start + i, step);
}

}  // namespace

IntArray argmax(const Tensor& x, int axis) {
  const std::size_t on = normalize_axis(axis, x.dim(), "argmax"), length = x.shape()[on];
  check(length > 0, "[argmax] the place of the largest of no numbers is undefined: shape {}.", x.shape());
  IntArray places = empty_int_array(reduced_shape(x.shape(), {on}, false));
  std::int32_t* out = places.data();
  each_line(x.shape(), on, [&](std::size_t start, std::size_t step) {
    const Real* line = x.array().data() + start;
    std::size_t best = 0;
    for (std::size_t i = 1; i < length; ++i)
      if (smaller(line[best * step], line[i * step])) best = i;
    *out++ = static_cast<std::int32_t>(best);
  });
  return places;
}

IntArray argmin(const Tensor& x, int axis) {
  const std::size_t on = normalize_axis(axis, x.dim(), "argmin");
  check(x.shape()[on] > 0, "[argmin] the place of the smallest of no numbers is undefined: shape {}.",
        x.shape());
  return argmax(-x.detach(), axis);
}

IntArray argsort(const Tensor& x, int axis, bool descending) {
  const std::size_t on = normalize_axis(axis, x.dim(), "argsort");
  IntArray places = empty_int_array(x.shape());
  std::vector<std::int32_t> order(x.shape()[on]);
  each_line(x.shape(), on, [&](std::size_t start, std::size_t step) {
    const auto number = [line = x.array().data() + start, step](std::int32_t i) {
      return line[static_cast<std::size_t>(i) * step];
    };
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
      return descending ? smaller(number(b), number(a)) : smaller(number(a), number(b));
    });
    for (std::size_t i = 0; i < order.size(); ++i) places.data()[start + i * step] = order[i];
  });
  return places;
}

Sorted sort(const Tensor& x, int axis, bool descending) {
  normalize_axis(axis, x.dim(), "sort");  // throws for one that x lacks
  IntArray order = argsort(x, axis, descending);
  return {gather(x, order, axis), std::move(order)};
}

Sorted topk(const Tensor& x, std::size_t k, int axis, bool largest) {
  const std::size_t on = normalize_axis(axis, x.dim(), "topk");
  check(k <= x.shape()[on], "[topk] expected at most {} numbers along axis {} of {}, got k = {}.",
        x.shape()[on], axis, x.shape(), k);
  const IntArray order = argsort(x, axis, largest);
  xt::xstrided_slice_vector first_k(x.dim(), xt::all());
  first_k[on] = xt::range(std::size_t{0}, k);
  IntArray places = xt::strided_view(order, first_k);
  return {gather(x, places, axis), std::move(places)};
}

}  // namespace headlight
