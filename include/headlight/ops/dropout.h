// Dropout (Srivastava et al. 2014).
#pragma once

#include "headlight/autograd/tensor.h"
#include "headlight/core/rng.h"

namespace headlight {

// Each element is 0 with probability p, else x/(1-p), which keeps the mean. 0 ≤ p < 1; p = 0 returns x.
Tensor dropout(const Tensor& x, double p, Rng& rng);

}  // namespace headlight
