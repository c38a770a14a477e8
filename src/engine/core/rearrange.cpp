#include "headlight/core/rearrange.h"

#include <algorithm>

#include "headlight/core/check.h"
#include "headlight/core/strided_loop.h"

namespace headlight::kernels {
namespace {

// An array as (outer, length, inner) around one axis.
struct AroundAxis {
  std::size_t outer = 1, length = 1, inner = 1;
  AroundAxis(const Shape& shape, std::size_t axis) : length(shape[axis]) {
    for (std::size_t i = 0; i < axis; ++i) outer *= shape[i];
    for (std::size_t i = axis + 1; i < shape.size(); ++i) inner *= shape[i];
  }
};

std::size_t checked_index(std::int32_t index, std::size_t length, const char* op) {
  check(index >= 0 && static_cast<std::size_t>(index) < length, "[{}] index {} is outside 0 … {}.", op, index,
        static_cast<std::ptrdiff_t>(length) - 1);
  return static_cast<std::size_t>(index);
}

// Visits (place in the indexed array, place in the array of the indices' shape).
template <class Visit>
void each_gathered(const Shape& shape, const IntArray& indices, std::size_t axis, const char* op,
                   Visit visit) {
  const Shape& picked = indices.shape();
  check(picked.size() == shape.size() && axis < shape.size(),
        "[{}] indices {} need as many axes as the array {}.", op, picked, shape);
  for (std::size_t i = 0; i < shape.size(); ++i)
    check(i == axis || picked[i] == shape[i],
          "[{}] indices {} differ from the array {} at axis {}; only axis {} may.", op, picked, shape, i,
          axis);
  const AroundAxis whole(shape, axis), part(picked, axis);
  std::size_t at = 0;
  for (std::size_t o = 0; o < part.outer; ++o)
    for (std::size_t l = 0; l < part.length; ++l)
      for (std::size_t i = 0; i < part.inner; ++i, ++at) {
        const std::size_t index = checked_index(indices.data()[at], whole.length, op);
        visit((o * whole.length + index) * whole.inner + i, at);
      }
}

}  // namespace

Array reshape(const Array& x, const Shape& shape) {
  check(size_of(shape) == x.size(), "[reshape] {} has {} elements, {} has {}.", x.shape(), x.size(), shape,
        size_of(shape));
  Array y = empty_array(shape);
  std::copy_n(x.data(), x.size(), y.data());
  return y;
}

Array permute(const Array& x, const std::vector<std::size_t>& permutation) {
  check(permutation.size() == x.dimension(), "[permute] {} axes given for an array of shape {}.",
        permutation.size(), x.shape());
  const Strides strides = row_major_strides(x.shape());
  Shape shape(x.dimension());
  Strides moved(x.dimension());
  std::vector<bool> seen(x.dimension(), false);
  for (std::size_t i = 0; i < permutation.size(); ++i) {
    check(permutation[i] < x.dimension() && !seen[permutation[i]],
          "[permute] each axis of {} must be named exactly once.", x.shape());
    seen[permutation[i]] = true;
    shape[i] = x.shape()[permutation[i]];
    moved[i] = strides[permutation[i]];
  }
  Array y = empty_array(shape);
  Real* out = y.data();
  const StridedLoop<1> loop(shape, {moved});
  loop.each_run([&](std::size_t n, const auto& steps, const auto& offsets) {
    const Real* in = x.data() + offsets[0];
    for (std::size_t i = 0; i < n; ++i) out[i] = in[i * steps[0]];
    out += n;
  });
  return y;
}

Array slice(const Array& x, std::size_t axis, std::size_t start, std::size_t count, std::size_t step) {
  check(axis < x.dimension() && step > 0 && (count == 0 || start + (count - 1) * step < x.shape()[axis]),
        "[slice] {} elements from {} in steps of {} do not lie within axis {} of {}.", count, start, step,
        axis, x.shape());
  Shape shape = x.shape();
  shape[axis] = count;
  Array y = empty_array(shape);
  const AroundAxis around(x.shape(), axis);
  Real* out = y.data();
  for (std::size_t o = 0; o < around.outer; ++o)
    for (std::size_t i = 0; i < count; ++i)
      out = std::copy_n(x.data() + (o * around.length + start + i * step) * around.inner, around.inner, out);
  return y;
}

Array unslice(const Array& x, const Shape& shape, std::size_t axis, std::size_t start, std::size_t step) {
  Shape part = shape;
  if (axis < shape.size() && x.dimension() == shape.size()) part[axis] = x.shape()[axis];
  check(axis < shape.size() && part == x.shape(), "[unslice] {} is no part of {} along axis {}.", x.shape(),
        shape, axis);
  const std::size_t count = part[axis];
  check(step > 0 && (count == 0 || start + (count - 1) * step < shape[axis]),
        "[unslice] {} elements from {} in steps of {} do not lie within axis {} of {}.", count, start, step,
        axis, shape);
  Array y = full_array(shape, 0);
  const AroundAxis around(shape, axis);
  const Real* in = x.data();
  for (std::size_t o = 0; o < around.outer; ++o)
    for (std::size_t i = 0; i < count; ++i, in += around.inner)
      std::copy_n(in, around.inner, y.data() + (o * around.length + start + i * step) * around.inner);
  return y;
}

Array concat(const std::vector<const Array*>& parts, std::size_t axis) {
  check(!parts.empty(), "[concat] expected at least one array.");
  Shape shape = parts[0]->shape();
  check(axis < shape.size(), "[concat] axis {} is out of range for shape {}.", axis, shape);
  shape[axis] = 0;
  for (const Array* part : parts) {
    Shape others = part->shape();
    const bool same_rank = others.size() == shape.size();
    if (same_rank) others[axis] = 0;
    Shape expected = shape;
    expected[axis] = 0;
    check(same_rank && others == expected, "[concat] shapes {} and {} differ in more than axis {}.",
          parts[0]->shape(), part->shape(), axis);
    shape[axis] += part->shape()[axis];
  }
  Array y = empty_array(shape);
  Real* out = y.data();
  const AroundAxis around(shape, axis);
  for (std::size_t o = 0; o < around.outer; ++o)
    for (const Array* part : parts) {
      const std::size_t run = part->shape()[axis] * around.inner;
      out = std::copy_n(part->data() + o * run, run, out);
    }
  return y;
}

Array gather(const Array& x, const IntArray& indices, std::size_t axis) {
  Array y = empty_array(indices.shape());
  each_gathered(x.shape(), indices, axis, "gather",
                [&](std::size_t from, std::size_t to) { y.data()[to] = x.data()[from]; });
  return y;
}

Array scatter_add(const Array& x, const IntArray& indices, std::size_t axis, const Shape& shape) {
  check(x.shape() == indices.shape(), "[scatter_add] values {} and indices {} differ in shape.", x.shape(),
        indices.shape());
  Array y = full_array(shape, 0);
  each_gathered(shape, indices, axis, "scatter_add",
                [&](std::size_t to, std::size_t from) { y.data()[to] += x.data()[from]; });
  return y;
}

Array take_rows(const Array& table, const IntArray& indices) {
  check(table.dimension() == 2, "[embedding] expected a table (V,d), got shape {}.", table.shape());
  const std::size_t rows = table.shape()[0], width = table.shape()[1];
  Shape shape = indices.shape();
  shape.push_back(width);
  Array y = empty_array(shape);
  Real* out = y.data();
  for (std::int32_t index : indices)
    out = std::copy_n(table.data() + checked_index(index, rows, "embedding") * width, width, out);
  return y;
}

Array add_rows(const Array& rows, const IntArray& indices, std::size_t table_rows) {
  check(rows.dimension() >= 1 && indices.shape() == Shape(rows.shape().begin(), rows.shape().end() - 1),
        "[add_rows] expected rows (…,d) and indices (…), got {} and {}.", rows.shape(), indices.shape());
  const std::size_t width = rows.shape().back();
  Array y = full_array(Shape{table_rows, width}, 0);
  const Real* in = rows.data();
  for (std::int32_t index : indices) {
    Real* out = y.data() + checked_index(index, table_rows, "add_rows") * width;
    for (std::size_t j = 0; j < width; ++j) out[j] += in[j];
    in += width;
  }
  return y;
}

}  // namespace headlight::kernels
