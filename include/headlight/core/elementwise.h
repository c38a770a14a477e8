// Functions of each number of an array, without gradients: plain loops over contiguous memory that the
// compiler vectorises. src/engine/ops adds the derivatives.
#pragma once

#include "headlight/core/array.h"

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
Array sign(const Array& x);  // -1, 0 or 1; a NaN stays one
Array erf(const Array& x);
Array step(const Array& x);  // 1 where x > 0, else 0; a NaN stays one

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
Array mul_slope(const Array& x, const Array& slope);  // x ⊙ slope, where ∞ times a slope of 0 is 0
Array div(const Array& x, const Array& y);
Array pow(const Array& x, const Array& y);
Array maximum(const Array& x, const Array& y);
Array greater(const Array& x, const Array& y);  // 1 where x > y, else 0
Array equal(const Array& x, const Array& y);    // 1 where x = y, else 0

// condition ? x : y, all three broadcast together.
Array where(const BoolArray& condition, const Array& x, const Array& y);

}  // namespace headlight::kernels
