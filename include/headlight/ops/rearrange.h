// Ops that rearrange numbers without changing them.
#pragma once

#include <vector>

#include "headlight/autograd/tensor.h"

namespace headlight {

// The same numbers in the same order. One length may be -1 and is computed from the others.
Tensor reshape(const Tensor& x, const std::vector<int>& shape);
Tensor reshape_to(const Tensor& x, const Shape& shape);

// The axes first … last as one; flatten(x) is a vector of all numbers. A scalar becomes a vector of one.
Tensor flatten(const Tensor& x, int first = 0, int last = -1);

// Without an axis, whose length must be 1.
Tensor squeeze(const Tensor& x, int axis);

// With a new axis of length 1 before axis `axis` (-1: as the last).
Tensor unsqueeze(const Tensor& x, int axis);

// Two axes exchanged; without arguments the last two.
Tensor transpose(const Tensor& x, int a = -2, int b = -1);

// Axis i of the result is axis order[i] of x.
Tensor permute(const Tensor& x, const Axes& order);

// Indices start, start+step, … below stop along an axis. Negative start and stop count from the end, and
// kEnd is the end itself; step ≥ 1.
inline constexpr int kEnd = 2147483647;
Tensor slice(const Tensor& x, int axis, int start, int stop = kEnd, int step = 1);

// What to take along one axis: the place i, which drops the axis, or a range of places.
struct AxisIndex {
  AxisIndex(int place) : start(place), one_place(true) {}
  AxisIndex(int from, int to, int by) : start(from), stop(to), step(by) {}

  int start = 0, stop = kEnd, step = 1;
  bool one_place = false;
};

// Places start, start+step, … below stop; and all of them.
inline AxisIndex range(int start, int stop = kEnd, int step = 1) { return {start, stop, step}; }
inline AxisIndex all() { return range(0); }

// Several axes at once, from the first one on; those not named stay whole. NumPy's x[0:2, :, 3] is
//   slice(x, {range(0, 2), all(), 3})
// Throws Error for a place outside of its axis; a range is cut off at the ends, as above.
Tensor slice(const Tensor& x, const std::vector<AxisIndex>& indices);

// The parts of an axis one after another: of `length` each, the last one perhaps shorter, or of the given
// lengths, which must add up to that of the axis.
std::vector<Tensor> split(const Tensor& x, std::size_t length, int axis = 0);
std::vector<Tensor> split(const Tensor& x, const std::vector<std::size_t>& lengths, int axis = 0);

// Joined along an existing axis.
Tensor concat(const std::vector<Tensor>& parts, int axis = 0);

// Joined along a new axis.
Tensor stack(const std::vector<Tensor>& parts, int axis = 0);

// With `before` and `after` more places along an axis, which hold `value`. (PyTorch's pad takes the widths of
// all axes at once, those of the last axis first.)
Tensor pad(const Tensor& x, int axis, std::size_t before, std::size_t after, Real value = 0);

// In the opposite order along an axis; and moved on by `shift` places, where what leaves at one end comes in
// at the other: roll([1, 2, 3], 1) is [3, 1, 2].
Tensor flip(const Tensor& x, int axis = -1);
Tensor roll(const Tensor& x, int shift, int axis = -1);

// The whole of x, times[i] copies side by side along axis i: [1, 2] twice is [1, 2, 1, 2]. Further times than
// axes add axes in front. NumPy's tile.
Tensor repeat(const Tensor& x, const std::vector<std::size_t>& times);

// Each element `times` times along an axis: [1, 1, 2, 2]. NumPy's repeat.
Tensor repeat_interleave(const Tensor& x, std::size_t times, int axis = -1);

// out[…,i,…] = x[…, indices[…,i,…], …] along the axis: PyTorch's gather. Repeated indices add their
// gradients.
Tensor gather(const Tensor& x, const IntArray& indices, int axis = -1);

// The transpose of gather: x added into zeros of `shape` at the indices.
Tensor scatter_add(const Tensor& x, const IntArray& indices, int axis, const Shape& shape);

// Rows of a table (V,d) by number: indices (…) give (…,d).
Tensor embedding(const Tensor& table, const IntArray& indices);

// The transpose of embedding: rows (…,d) added into zeros (table_rows,d).
Tensor add_rows(const Tensor& rows, const IntArray& indices, std::size_t table_rows);

}  // namespace headlight
