// Sums and repetition of arrays by the broadcasting rule: the arithmetic of the backward pass itself.
#pragma once

#include "headlight/core/array.h"

namespace headlight::kernels {

// Two arrays, broadcast to their common shape. Throws Error when there is none.
Array add(const Array& x, const Array& y);

// y ← y + x, same shape.
void add_into(Array& y, const Array& x);

// x repeated to `shape`. Throws Error when it does not broadcast to it.
Array broadcast_to(const Array& x, const Shape& shape);

// The sum (or the maximum) of x over the axes along which `shape` was repeated to give x.shape(). sum_to is
// the transpose of broadcast_to. `shape` must broadcast to x.shape().
Array sum_to(const Array& x, const Shape& shape);
Array max_to(const Array& x, const Shape& shape);

}  // namespace headlight::kernels
