// Arithmetic on n numbers side by side, such as the gradient of all parameters.
#pragma once

#include <cstddef>

#include "headlight/core/real.h"

namespace headlight::kernels {

// y ← y + x
void add_into(Real* y, const Real* x, std::size_t n);

// y ← factor·y
void scale(Real* y, std::size_t n, Real factor);

}  // namespace headlight::kernels
