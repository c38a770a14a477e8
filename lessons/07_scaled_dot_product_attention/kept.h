// What later lessons use of lesson 7. There it is what you wrote, once you have solved it.
#pragma once

#include "exercise.h"

namespace lesson_07 {

// (n,m): 1 where query i may look at key j, which is j ≤ i + (m - n), else 0. The last query stands at the
// last key. n ≤ m.
Tensor causal_mask_of(std::size_t n, std::size_t m);

// softmax(q kᵀ/√d_k over the keys that the mask allows) v
// q (…,n,d_k), k (…,m,d_k), v (…,m,d_v) → (…,n,d_v). The mask broadcasts to (…,n,m): 1 = may look, 0 = may
// not. A query that may look nowhere gets zeros.
Tensor attention(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& mask);

}  // namespace lesson_07
