// Functions of one number, applied to every element. At a NaN the value and the derivative of every op, here
// and in the other headers, are NaN, so that no op hides it from what stands before. Where a slope is 0, an
// infinite cotangent gives 0.
#pragma once

#include "headlight/autograd/tensor.h"

namespace headlight {

Tensor exp(const Tensor& x);      // e^x
Tensor expm1(const Tensor& x);    // e^x - 1, exact near 0 too
Tensor log(const Tensor& x);      // the natural logarithm
Tensor log1p(const Tensor& x);    // ln(1 + x), exact near 0 too
Tensor sqrt(const Tensor& x);     // √x
Tensor square(const Tensor& x);   // x²
Tensor tanh(const Tensor& x);     // (e^x - e^-x)/(e^x + e^-x)
Tensor sigmoid(const Tensor& x);  // 1/(1 + e^-x)
Tensor relu(const Tensor& x);     // max(x, 0); its derivative at 0 is 0
Tensor abs(const Tensor& x);      // its derivative at 0 is 0
Tensor erf(const Tensor& x);      // 2/√π ∫₀ˣ e^(-t²) dt

// Of an angle in radians. Throw Error for |x| > 2^20, where the same bits everywhere would need more digits
// of π. NaN for an infinity.
Tensor sin(const Tensor& x);
Tensor cos(const Tensor& x);

// -1, 0 or 1; and the largest whole number that is at most x. Both are steps: their derivative is 0.
Tensor sign(const Tensor& x);
Tensor floor(const Tensor& x);

// ln(1 + e^x), a smooth relu, without overflow.
Tensor softplus(const Tensor& x);

// x where x > 0, else slope·x (Maas et al. 2013). The derivative at 0 is the slope.
Tensor leaky_relu(const Tensor& x, Real slope = Real(0.01));

// x, but `lowest` below it and `highest` above it. The derivative is 1 from lowest to highest, the ends
// included, and 0 outside. Throws Error when lowest > highest.
Tensor clamp(const Tensor& x, Real lowest, Real highest);

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
