// The ops that the backward pass itself needs, to add, repeat and sum cotangents.
#pragma once

#include "headlight/autograd/tensor.h"

namespace headlight {

// z = x + y, broadcast.
Tensor add(const Tensor& x, const Tensor& y);

// x repeated to `shape` by the broadcasting rule; and its transpose, the sum over repeated axes.
Tensor broadcast_to(const Tensor& x, const Shape& shape);
Tensor sum_to(const Tensor& x, const Shape& shape);

// The same value as a node of its own.
Tensor identity(const Tensor& x);

}  // namespace headlight
