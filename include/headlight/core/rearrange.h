// The numbers of an array in another order or another shape, without gradients. src/engine/ops adds the
// derivatives.
#pragma once

#include <vector>

#include "headlight/core/array.h"

namespace headlight::kernels {

// The same numbers in the same order under another shape of equal size.
Array reshape(const Array& x, const Shape& shape);

// Axis i of the result is axis permutation[i] of x.
Array permute(const Array& x, const std::vector<std::size_t>& permutation);

// Indices start, start+step, … (count of them) along an axis; and its transpose, which puts them back
// into zeros of `shape`.
Array slice(const Array& x, std::size_t axis, std::size_t start, std::size_t count, std::size_t step);
Array unslice(const Array& x, const Shape& shape, std::size_t axis, std::size_t start, std::size_t step);

// Arrays joined along an axis; all other lengths equal.
Array concat(const std::vector<const Array*>& parts, std::size_t axis);

// out[…,i,…] = x[…, indices[…,i,…], …] along the axis (PyTorch's gather); and its transpose, which
// adds into zeros of `shape`. Indices must lie in 0 … length-1.
Array gather(const Array& x, const IntArray& indices, std::size_t axis);
Array scatter_add(const Array& x, const IntArray& indices, std::size_t axis, const Shape& shape);

// Rows of table (V,d) picked by number: indices (…) give (…,d); and its transpose, (…,d) added into
// zeros (V,d) in the order of the indices.
Array take_rows(const Array& table, const IntArray& indices);
Array add_rows(const Array& rows, const IntArray& indices, std::size_t table_rows);

}  // namespace headlight::kernels
