// Root-mean-square normalisation (Zhang and Sennrich 2019).
#pragma once

#include "headlight/autograd/tensor.h"

namespace headlight {

// y = x/√(mean x² + eps) ⊙ w over the last axis: a layer norm that does not subtract the mean. x (…,d), w (d)
// or undefined. Rows of any finite size are normalised, also where their squares overflow. Throws Error when
// w does not fit, or when d is 0.
Tensor rms_norm(const Tensor& x, const Tensor& w = {}, double eps = 1e-5);

// The same, composed of simple ops.
namespace reference {
Tensor rms_norm(const Tensor& x, const Tensor& w = {}, double eps = 1e-5);
}  // namespace reference

}  // namespace headlight
