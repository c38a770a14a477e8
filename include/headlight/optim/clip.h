// Gradient clipping.
#pragma once

#include <cstddef>
#include <vector>

#include "headlight/autograd/tensor.h"

namespace headlight::optim {

// √(Σ g²) over n numbers, added in double precision, in chunks of fixed size, on one thread.
double global_norm(const Real* gradients, std::size_t n);

// Scales the gradients so that their global norm is at most max_norm; returns the norm before (Pascanu et al.
// 2013). If the norm is not finite, returns it and changes no gradient. Throws Error for a bound that is not
// positive.
double clip_by_global_norm(std::vector<Tensor> parameters, double max_norm);
double clip_by_global_norm(Real* gradients, std::size_t n, double max_norm);

}  // namespace headlight::optim
