// Random numbers as constants, from a generator that the caller holds: the same seed gives the same numbers
// on every platform. randn is in autograd/tensor.h, dropout in dropout.h.
#pragma once

#include "headlight/autograd/tensor.h"
#include "headlight/core/rng.h"

namespace headlight {

// Uniform in [low, high).
Tensor rand(const Shape& shape, Rng& rng, double low = 0, double high = 1);

// Whole numbers low … high-1, all equally likely. Throws Error when there are none.
IntArray randint(std::int32_t low, std::int32_t high, const Shape& shape, Rng& rng);

// 1 with the probability p of each element, else 0. Throws Error for a p outside of [0, 1].
Tensor bernoulli(const Tensor& p, Rng& rng);

// `count` places of each row of weights (…,V) → (…,count), each drawn with the probability weight/Σ weights.
// Without replacement no place is drawn twice. Throws Error for a weight that is negative or not finite, and
// for a row that has too few above 0.
IntArray multinomial(const Tensor& weights, std::size_t count, Rng& rng, bool replacement = false);

}  // namespace headlight
