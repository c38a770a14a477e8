// Inputs to try an op on, each with other random numbers; the same in every run.
#pragma once

#include "headlight/autograd/tensor.h"

namespace headlight::sample_inputs {

Tensor normal(const Shape& shape);
Tensor positive(const Shape& shape);

// At least 0.2 from zero, where relu and abs have their kink.
Tensor off_zero(const Shape& shape);

// All numbers at least 0.1 apart, so that no maximum changes hands within a finite difference.
Tensor spread(const Shape& shape);

IntArray indices(const Shape& shape, std::size_t below);

// True with probability p.
BoolArray mask(const Shape& shape, double p = 0.6);

}  // namespace headlight::sample_inputs
