// What later lessons use of lesson 8. There it is what you wrote, once you have solved it.
#pragma once

#include "exercise.h"
#include "multi_head.h"

namespace lesson_08 {

// concat(head_1 … head_h) W_O, with head_i = attention(x W_Q, source W_K, source W_V, mask) on the columns of
// head i. x (B,n,d), source (B,m,d) → (B,n,d). mask (n,m), (B,1,n,m) or a single 1: 1 = may look, 0 = may
// not.
Tensor multi_head_attention(const Tensor& x, const Tensor& source, const MultiHeadWeights& w,
                            std::size_t n_heads, const Tensor& mask);

}  // namespace lesson_08
