// Arithmetic, with broadcasting. Every op here and in the other headers of this folder records itself on
// the tape. A scalar may stand wherever a tensor is expected.
#pragma once

#include "headlight/autograd/linear_ops.h"
#include "headlight/autograd/tensor.h"
#include "headlight/ops/compare.h"

namespace headlight {

Tensor sub(const Tensor& x, const Tensor& y);  // x - y
Tensor mul(const Tensor& x, const Tensor& y);  // x ⊙ y, element by element; matmul is the matrix product
Tensor div(const Tensor& x, const Tensor& y);  // x / y
Tensor neg(const Tensor& x);                   // -x

// x^y. The derivative with respect to y is taken as 0 where x ≤ 0; x < 0 needs a whole y.
Tensor pow(const Tensor& x, const Tensor& y);

// The larger of the two, and the smaller; where they are equal, each gets half the gradient, and where one is
// NaN, both get NaN.
Tensor maximum(const Tensor& x, const Tensor& y);
Tensor minimum(const Tensor& x, const Tensor& y);

// condition ? x : y, broadcast.
Tensor where(const BoolArray& condition, const Tensor& x, const Tensor& y);

// x, with `value` wherever the mask is true. The mask broadcasts to x.
Tensor masked_fill(const Tensor& x, const BoolArray& mask, Real value);

// add, sub, mul, div and neg.
inline Tensor operator+(const Tensor& x, const Tensor& y) { return add(x, y); }
inline Tensor operator-(const Tensor& x, const Tensor& y) { return sub(x, y); }
inline Tensor operator*(const Tensor& x, const Tensor& y) { return mul(x, y); }
inline Tensor operator/(const Tensor& x, const Tensor& y) { return div(x, y); }
inline Tensor operator-(const Tensor& x) { return neg(x); }

// `x += y` is `x = x + y`: the name x then stands for a new tensor, and the old one keeps its numbers for the
// backward pass and for whoever else holds it. Nothing changes in place. So an update of a parameter is not
// written this way, but as `w.mutable_array() -= 0.1 * w.grad().array()` or by an optimizer.
inline Tensor& operator+=(Tensor& x, const Tensor& y) { return x = x + y; }
inline Tensor& operator-=(Tensor& x, const Tensor& y) { return x = x - y; }
inline Tensor& operator*=(Tensor& x, const Tensor& y) { return x = x * y; }
inline Tensor& operator/=(Tensor& x, const Tensor& y) { return x = x / y; }

}  // namespace headlight
