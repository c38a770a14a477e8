// Ops of rearrange.h that are composed of others there.
#include <algorithm>
#include <numeric>

#include "headlight/autograd/linear_ops.h"
#include "headlight/core/check.h"
#include "headlight/ops/rearrange.h"

namespace headlight {
namespace {

std::ptrdiff_t at(std::size_t axis) { return static_cast<std::ptrdiff_t>(axis); }

Shape with_length(Shape shape, std::size_t axis, std::size_t length) {
  shape[axis] = length;
  return shape;
}

// x with a new axis of this length after axis `axis`.
Tensor with_copies(const Tensor& x, std::size_t axis, std::size_t copies) {
  const Shape shape = with_axis(x.shape(), axis + 1, 1);
  return broadcast_to(reshape_to(x, shape), with_length(shape, axis + 1, copies));
}

}  // namespace

Tensor flatten(const Tensor& x, int first, int last) {
  if (x.dim() == 0) return reshape_to(x, {1});
  const std::size_t from = normalize_axis(first, x.dim(), "flatten"),
                    to = normalize_axis(last, x.dim(), "flatten");
  check(from <= to, "[flatten] expected a first axis before the last, got {} and {}.", first, last);
  const auto begin = x.shape().begin();
  Shape shape(begin, begin + at(from));
  shape.push_back(size_of(Shape(begin + at(from), begin + at(to) + 1)));
  for (std::size_t axis = to + 1; axis < x.dim(); ++axis) shape.push_back(x.shape()[axis]);
  return reshape_to(x, shape);
}

Tensor squeeze(const Tensor& x, int axis) {
  const std::size_t on = normalize_axis(axis, x.dim(), "squeeze");
  check(x.shape()[on] == 1, "[squeeze] axis {} of {} has length {}, not 1. Hint: reshape() joins axes.", axis,
        x.shape(), x.shape()[on]);
  Shape shape = x.shape();
  shape.erase(shape.begin() + at(on));
  return reshape_to(x, shape);
}

Tensor unsqueeze(const Tensor& x, int axis) {
  return reshape_to(x, with_axis(x.shape(), normalize_axis(axis, x.dim() + 1, "unsqueeze"), 1));
}

Tensor slice(const Tensor& x, const std::vector<AxisIndex>& indices) {
  check(indices.size() <= x.dim(), "[slice] {} indices for a tensor of shape {}.", indices.size(), x.shape());
  Tensor y = x;
  std::vector<std::size_t> dropped;
  for (std::size_t axis = 0; axis < indices.size(); ++axis) {
    const auto [start, stop, step, one_place] = indices[axis];
    const int length = static_cast<int>(x.shape()[axis]);
    check(!one_place || (start >= -length && start < length),
          "[slice] place {} is outside axis {} of a tensor of shape {}.", start, axis, x.shape());
    if (one_place) dropped.push_back(axis);
    const int first = one_place && start < 0 ? start + length : start;
    const bool whole = !one_place && start == 0 && stop == kEnd && step == 1;
    if (!whole) y = slice(y, static_cast<int>(axis), first, one_place ? first + 1 : stop, step);
  }
  return dropped.empty() ? y : reshape_to(y, reduced_shape(y.shape(), dropped, false));
}

std::vector<Tensor> split(const Tensor& x, const std::vector<std::size_t>& lengths, int axis) {
  const std::size_t length = x.shape()[normalize_axis(axis, x.dim(), "split")];
  const std::size_t total = std::accumulate(lengths.begin(), lengths.end(), std::size_t{0});
  check(total == length, "[split] the lengths add up to {}, but axis {} of {} has length {}.", total, axis,
        x.shape(), length);
  std::vector<Tensor> parts;
  int start = 0;
  for (std::size_t part : lengths) {
    const int stop = start + static_cast<int>(part);
    parts.push_back(slice(x, axis, start, stop));
    start = stop;
  }
  return parts;
}

std::vector<Tensor> split(const Tensor& x, std::size_t length, int axis) {
  const std::size_t whole = x.shape()[normalize_axis(axis, x.dim(), "split")];
  check(length > 0, "[split] expected parts of length at least 1, got 0.");
  std::vector<std::size_t> lengths(whole / length, length);
  if (whole % length > 0) lengths.push_back(whole % length);
  return split(x, lengths, axis);
}

Tensor pad(const Tensor& x, int axis, std::size_t before, std::size_t after, Real value) {
  const std::size_t on = normalize_axis(axis, x.dim(), "pad");
  return concat(
      {full(with_length(x.shape(), on, before), value), x, full(with_length(x.shape(), on, after), value)},
      static_cast<int>(on));
}

Tensor roll(const Tensor& x, int shift, int axis) {
  const int length = static_cast<int>(x.shape()[normalize_axis(axis, x.dim(), "roll")]);
  if (length == 0) return x;
  const int first = (length - shift % length) % length;  // the place that comes to the front
  return concat({slice(x, axis, first), slice(x, axis, 0, first)}, axis);
}

Tensor repeat(const Tensor& x, const std::vector<std::size_t>& times) {
  check(times.size() >= x.dim(), "[repeat] expected a number for each axis of {}, got {}.", x.shape(),
        times.size());
  Shape once(times.size() - x.dim(), 1);
  for (const std::size_t length : x.shape()) once.push_back(length);
  Shape apart, copied, joined;  // (1,n,1,m,…), (r,n,s,m,…), (r·n,s·m,…)
  for (std::size_t i = 0; i < once.size(); ++i) {
    apart.push_back(1), apart.push_back(once[i]);
    copied.push_back(times[i]), copied.push_back(once[i]);
    joined.push_back(times[i] * once[i]);
  }
  return reshape_to(broadcast_to(reshape_to(x, apart), copied), joined);
}

Tensor repeat_interleave(const Tensor& x, std::size_t times, int axis) {
  const std::size_t on = normalize_axis(axis, x.dim(), "repeat_interleave");
  return reshape_to(with_copies(x, on, times), with_length(x.shape(), on, x.shape()[on] * times));
}

}  // namespace headlight
