// Functions of one number, applied to every element.
#pragma once

#include "headlight/autograd/tensor.h"

namespace headlight {

Tensor exp(const Tensor& x);      // e^x
Tensor log(const Tensor& x);      // the natural logarithm
Tensor sqrt(const Tensor& x);     // √x
Tensor tanh(const Tensor& x);     // (e^x - e^-x)/(e^x + e^-x)
Tensor sigmoid(const Tensor& x);  // 1/(1 + e^-x)
Tensor relu(const Tensor& x);     // max(x, 0); its derivative at 0 is 0
Tensor abs(const Tensor& x);      // its derivative at 0 is 0
Tensor erf(const Tensor& x);      // 2/√π ∫₀ˣ e^(-t²) dt

// x·Φ(x) with the normal distribution function Φ (Hendrycks and Gimpel 2016): exactly, or in the tanh form
// that GPT-2 uses, x/2·(1 + tanh(√(2/π)(x + 0.044715 x³))).
enum class Gelu { tanh, erf };
Tensor gelu(const Tensor& x, Gelu form = Gelu::tanh);

// x·σ(x) (Elfwing et al. 2017), also called Swish.
Tensor silu(const Tensor& x);

// silu(gate) ⊙ up: the hidden units of a gated MLP (Shazeer 2020). Shapes broadcast.
Tensor swiglu(const Tensor& gate, const Tensor& up);

// The same, composed of simple ops.
namespace reference {
Tensor gelu(const Tensor& x, Gelu form = Gelu::tanh);
Tensor silu(const Tensor& x);
}  // namespace reference

}  // namespace headlight
