#include "headlight/ops/rearrange.h"

#include <algorithm>

#include "headlight/autograd/record.h"
#include "headlight/core/kernels.h"

namespace headlight {
namespace {

Shape resolve(const Shape& from, const std::vector<int>& lengths) {
  Shape shape;
  std::size_t wild = lengths.size();
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    check(lengths[i] >= -1, "[reshape] a length of {} makes no sense; -1 stands for whatever is left.",
          lengths[i]);
    check(lengths[i] != -1 || wild == lengths.size(), "[reshape] only one length may be -1.");
    if (lengths[i] == -1) wild = i;
    shape.push_back(lengths[i] == -1 ? 1 : static_cast<std::size_t>(lengths[i]));
  }
  const std::size_t size = size_of(from), known = size_of(shape);
  if (wild < lengths.size()) {
    check(known > 0 && size % known == 0, "[reshape] {} elements of shape {} cannot be divided by {}.", size,
          from, known);
    shape[wild] = size / known;
  }
  check(size_of(shape) == size, "[reshape] {} has {} elements, {} has {}.", from, size, shape,
        size_of(shape));
  return shape;
}

Tensor unslice(const Tensor& x, const Shape& shape, std::size_t axis, std::size_t start, std::size_t step);

Tensor slice_counted(const Tensor& x, std::size_t axis, std::size_t start, std::size_t count,
                     std::size_t step) {
  return record("slice", {x}, kernels::slice(x.array(), axis, start, count, step),
                [from = x.shape(), axis, start, step](const Tensor& g, const Tensor&) {
                  return unslice(g, from, axis, start, step);
                });
}

// unslice  zeros, with x at start, start+step, …     x̄ = slice(ȳ)
Tensor unslice(const Tensor& x, const Shape& shape, std::size_t axis, std::size_t start, std::size_t step) {
  Array y = kernels::unslice(x.array(), shape, axis, start, step);
  return record("unslice", {x}, std::move(y),
                [axis, start, step, count = x.shape()[axis]](const Tensor& g, const Tensor&) {
                  return slice_counted(g, axis, start, count, step);
                });
}

}  // namespace

Tensor reshape_to(const Tensor& x, const Shape& shape) {
  return record("reshape", {x}, kernels::reshape(x.array(), shape),
                [from = x.shape()](const Tensor& g, const Tensor&) { return reshape_to(g, from); });
}

// reshape  y = x, row by row under another shape     x̄ = ȳ under the old one
Tensor reshape(const Tensor& x, const std::vector<int>& shape) {
  return reshape_to(x, resolve(x.shape(), shape));
}

// permute  y[i_order…] = x[i…]     x̄ = ȳ permuted back
Tensor permute(const Tensor& x, const Axes& order) {
  std::vector<std::size_t> forward;
  for (int axis : order) forward.push_back(normalize_axis(axis, x.dim(), "permute"));
  Array y = kernels::permute(x.array(), forward);
  Axes back;
  back.resize(forward.size());
  for (std::size_t i = 0; i < forward.size(); ++i) back[forward[i]] = static_cast<int>(i);
  return record("permute", {x}, std::move(y),
                [back](const Tensor& g, const Tensor&) { return permute(g, back); });
}

// transpose: the permutation that exchanges two axes
Tensor transpose(const Tensor& x, int a, int b) {
  check(x.dim() >= 2, "[transpose] expected at least two axes, got shape {}.", x.shape());
  Axes order;
  for (std::size_t i = 0; i < x.dim(); ++i) order.push_back(static_cast<int>(i));
  std::swap(order[normalize_axis(a, x.dim(), "transpose")], order[normalize_axis(b, x.dim(), "transpose")]);
  return permute(x, order);
}

// slice    y = x[start:stop:step] along an axis     x̄ = zeros with ȳ put back
Tensor slice(const Tensor& x, int axis, int start, int stop, int step) {
  const std::size_t on = normalize_axis(axis, x.dim(), "slice");
  const int length = static_cast<int>(x.shape()[on]);
  check(step >= 1, "[slice] expected a step of at least 1, got {}.", step);
  const auto place = [length](int i) { return std::clamp(i < 0 ? i + length : i, 0, length); };
  const int first = place(start), last = place(stop);
  const int count = last > first ? (last - first - 1) / step + 1 : 0;
  return slice_counted(x, on, static_cast<std::size_t>(first), static_cast<std::size_t>(count),
                       static_cast<std::size_t>(step));
}

// concat   y = x₁ ‖ x₂ ‖ …     x̄ᵢ = the part of ȳ that is xᵢ
Tensor concat(const std::vector<Tensor>& parts, int axis) {
  check(!parts.empty(), "[concat] expected at least one tensor.");
  const std::size_t on = normalize_axis(axis, parts[0].dim(), "concat");
  std::vector<const Array*> arrays;
  std::vector<std::size_t> lengths;
  for (const Tensor& part : parts) arrays.push_back(&part.array());
  Array y = kernels::concat(arrays, on);
  for (const Tensor& part : parts) lengths.push_back(part.shape()[on]);
  return record_joint("concat", parts, std::move(y), [on, lengths](const Tensor& g, const Tensor&) {
    std::vector<Tensor> cotangents;
    std::size_t start = 0;
    for (std::size_t length : lengths) {
      cotangents.push_back(slice_counted(g, on, start, length, 1));
      start += length;
    }
    return cotangents;
  });
}

// stack: concat along a new axis of length 1
Tensor stack(const std::vector<Tensor>& parts, int axis) {
  check(!parts.empty(), "[stack] expected at least one tensor.");
  const std::size_t on = normalize_axis(axis, parts[0].dim() + 1, "stack");
  std::vector<Tensor> expanded;
  for (const Tensor& part : parts) {
    check(part.shape() == parts[0].shape(), "[stack] shapes differ: {} and {}.", parts[0].shape(),
          part.shape());
    expanded.push_back(reshape_to(part, with_axis(part.shape(), on, 1)));
  }
  return concat(expanded, static_cast<int>(on));
}

// flip     y = x backwards     x̄ = ȳ backwards
Tensor flip(const Tensor& x, int axis) {
  const std::size_t on = normalize_axis(axis, x.dim(), "flip");
  Array y = x.size() == 0 ? x.array() : Array(xt::flip(x.array(), on));
  return record("flip", {x}, std::move(y), [axis](const Tensor& g, const Tensor&) { return flip(g, axis); });
}

// gather   y[…i…] = x[…index…]     x̄ = ȳ added at the indices
Tensor gather(const Tensor& x, const IntArray& indices, int axis) {
  const std::size_t on = normalize_axis(axis, x.dim(), "gather");
  return record("gather", {x}, kernels::gather(x.array(), indices, on),
                [indices, on, from = x.shape()](const Tensor& g, const Tensor&) {
                  return scatter_add(g, indices, static_cast<int>(on), from);
                });
}

// scatter_add   y = zeros with x added at the indices     x̄ = ȳ gathered
Tensor scatter_add(const Tensor& x, const IntArray& indices, int axis, const Shape& shape) {
  const std::size_t on = normalize_axis(axis, shape.size(), "scatter_add");
  return record(
      "scatter_add", {x}, kernels::scatter_add(x.array(), indices, on, shape),
      [indices, on](const Tensor& g, const Tensor&) { return gather(g, indices, static_cast<int>(on)); });
}

// embedding     y = rows of the table     table̅ = ȳ's rows added where they came from
Tensor embedding(const Tensor& table, const IntArray& indices) {
  Array y = kernels::take_rows(table.array(), indices);  // checks that the table has rows
  return record("embedding", {table}, std::move(y),
                [indices, rows = table.shape()[0]](const Tensor& g, const Tensor&) {
                  return add_rows(g, indices, rows);
                });
}

// add_rows      y = zeros with the rows added     x̄ = ȳ's rows
Tensor add_rows(const Tensor& rows, const IntArray& indices, std::size_t table_rows) {
  return record("add_rows", {rows}, kernels::add_rows(rows.array(), indices, table_rows),
                [indices](const Tensor& g, const Tensor&) { return embedding(g, indices); });
}

}  // namespace headlight
