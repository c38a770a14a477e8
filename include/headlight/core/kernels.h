// Arithmetic on arrays, without gradients: plain loops over contiguous memory that the compiler
// vectorises. src/ops adds the derivatives.
#pragma once

#include <vector>

#include "headlight/core/array.h"
#include "headlight/core/broadcast_kernels.h"

namespace headlight::kernels {

// One number in, one number out. All return a new array of the same shape.
Array neg(const Array& x);
Array exp(const Array& x);
Array log(const Array& x);
Array sqrt(const Array& x);
Array tanh(const Array& x);
Array sigmoid(const Array& x);  // 1 / (1 + e^-x), without overflow for large |x|
Array relu(const Array& x);     // max(x, 0)
Array abs(const Array& x);
Array sign(const Array& x);  // -1, 0 or 1
Array erf(const Array& x);
Array step(const Array& x);  // 1 where x > 0, else 0

// gelu(x) = x·Φ(x), Φ the normal distribution function (Hendrycks and Gimpel 2016), and its tanh form
// x/2·(1 + tanh(√(2/π)(x + 0.044715 x³))), which GPT-2 uses. The _vjp forms return cotangent·gelu'(x).
Array gelu_tanh(const Array& x);
Array gelu_erf(const Array& x);
Array gelu_tanh_vjp(const Array& x, const Array& cotangent);
Array gelu_erf_vjp(const Array& x, const Array& cotangent);

// silu(x) = x·σ(x), and cotangent·silu'(x).
Array silu(const Array& x);
Array silu_vjp(const Array& x, const Array& cotangent);

// Two arrays, broadcast to their common shape, as add() is. Throw Error when there is none.
Array sub(const Array& x, const Array& y);
Array mul(const Array& x, const Array& y);
Array div(const Array& x, const Array& y);
Array pow(const Array& x, const Array& y);
Array maximum(const Array& x, const Array& y);
Array greater(const Array& x, const Array& y);  // 1 where x > y, else 0
Array equal(const Array& x, const Array& y);    // 1 where x = y, else 0

// condition ? x : y, all three broadcast together.
Array where(const BoolArray& condition, const Array& x, const Array& y);

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
