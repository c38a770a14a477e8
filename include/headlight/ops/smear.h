// Smeared keys (Olsson et al. 2022, "In-context Learning and Induction Heads").
#pragma once

#include "headlight/autograd/tensor.h"

namespace headlight {

// Mixes the key of each position t with the key before it: y_t = σ(α_h) k_t + (1 - σ(α_h)) k_{t-1} in each
// head h, and y_0 = k_0. So one layer can do what otherwise takes a previous-token head in the layer before.
// k (B,n,H·d), alpha (H) → (B,n,H·d). Throws Error when H does not divide the width.
Tensor smear(const Tensor& k, const Tensor& alpha);

// The same, composed of simple ops.
namespace reference {
Tensor smear(const Tensor& k, const Tensor& alpha);
}  // namespace reference

}  // namespace headlight
