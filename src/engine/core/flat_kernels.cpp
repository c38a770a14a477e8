#include "headlight/core/flat_kernels.h"

namespace headlight::kernels {

void add_into(Real* y, const Real* x, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) y[i] += x[i];
}

void scale(Real* y, std::size_t n, Real factor) {
  for (std::size_t i = 0; i < n; ++i) y[i] *= factor;
}

}  // namespace headlight::kernels
