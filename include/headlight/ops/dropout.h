// Dropout (Srivastava et al. 2014).
#pragma once

#include "headlight/autograd/tensor.h"

namespace headlight::inline HEADLIGHT_PRECISION {

// Each element is 0 with probability p, else x/(1-p), so that the mean stays. 0 ≤ p < 1; p = 0 is x itself.
Tensor dropout(const Tensor& x, double p, Rng& rng);

}  // namespace headlight::inline HEADLIGHT_PRECISION
