// Two arrays, broadcast to their common shape, to one.
#pragma once

#include "headlight/core/array.h"
#include "headlight/core/strided_loop.h"

namespace headlight::kernels {

// f of each pair of numbers. `op` is the name in the message for shapes that do not broadcast.
template <class F>
Array zip(const char* op, const Array& x, const Array& y, F f) {
  if (x.shape() == y.shape()) {
    Array z = empty_array(x.shape());
    const Real *a = x.data(), *b = y.data();
    Real* out = z.data();
    const std::size_t n = z.size();
    for (std::size_t i = 0; i < n; ++i) out[i] = f(a[i], b[i]);
    return z;
  }
  const Shape shape = broadcast_shapes(x.shape(), y.shape(), op);
  Array z = empty_array(shape);
  Real* out = z.data();
  const StridedLoop<2> loop(shape,
                            {broadcast_strides(x.shape(), shape), broadcast_strides(y.shape(), shape)});
  loop.each_run([&](std::size_t n, const auto& steps, const auto& offsets) {
    const Real *a = x.data() + offsets[0], *b = y.data() + offsets[1];
    if (steps[0] == 0) {
      const Real left = *a;
      for (std::size_t i = 0; i < n; ++i) out[i] = f(left, b[i]);
    } else if (steps[1] == 0) {
      const Real right = *b;
      for (std::size_t i = 0; i < n; ++i) out[i] = f(a[i], right);
    } else {
      for (std::size_t i = 0; i < n; ++i) out[i] = f(a[i], b[i]);
    }
    out += n;
  });
  return z;
}

}  // namespace headlight::kernels
