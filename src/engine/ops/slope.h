// Derivatives of ops that are made of straight pieces.
#pragma once

#include "headlight/autograd/record.h"
#include "headlight/core/kernels.h"

namespace headlight {

// g ⊙ slope for a constant slope. A slope of 0 stops an infinite g too, as that of √ at 0: else √(relu x) had
// the gradient 0·∞ where x < 0. A NaN of either passes.
inline Tensor times_slope(const Tensor& g, const Array& slope) {
  return record("mul", {g}, kernels::mul_slope(g.array(), slope),
                [slope](const Tensor& h, const Tensor&) { return times_slope(h, slope); });
}

}  // namespace headlight
