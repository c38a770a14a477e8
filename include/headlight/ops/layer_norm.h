// Layer normalisation (Ba, Kiros and Hinton 2016).
#pragma once

#include "headlight/autograd/tensor.h"

namespace headlight {

// y = (x - mean)/√(var + eps) ⊙ w + b over the last axis. x (…,d), w and b (d) or undefined. Rows of any
// finite size are normalised, also where their squares overflow.
Tensor layer_norm(const Tensor& x, const Tensor& w = {}, const Tensor& b = {}, double eps = 1e-5);

// The same, composed of simple ops.
namespace reference {
Tensor layer_norm(const Tensor& x, const Tensor& w = {}, const Tensor& b = {}, double eps = 1e-5);
}  // namespace reference

}  // namespace headlight
