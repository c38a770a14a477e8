// Ops that rearrange numbers without changing them.
#pragma once

#include <vector>

#include "headlight/autograd/tensor.h"

namespace headlight {

// The same numbers in the same order. One length may be -1 and is computed from the others.
Tensor reshape(const Tensor& x, const std::vector<int>& shape);
Tensor reshape_to(const Tensor& x, const Shape& shape);

// Two axes exchanged; without arguments the last two.
Tensor transpose(const Tensor& x, int a = -2, int b = -1);

// Axis i of the result is axis order[i] of x.
Tensor permute(const Tensor& x, const Axes& order);

// Indices start, start+step, … below stop along an axis. Negative start and stop count from the end, and
// kEnd is the end itself; step ≥ 1.
inline constexpr int kEnd = 2147483647;
Tensor slice(const Tensor& x, int axis, int start, int stop = kEnd, int step = 1);

// Joined along an existing axis, or along a new one.
Tensor concat(const std::vector<Tensor>& parts, int axis = 0);
Tensor stack(const std::vector<Tensor>& parts, int axis = 0);

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
