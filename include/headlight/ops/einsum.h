// Products by the names of their axes, and triangles of matrices.
#pragma once

#include <string>

#include "headlight/autograd/tensor.h"

namespace headlight {

// Einstein's summation. Each letter names an axis; letters that the result lacks are summed over.
//   einsum("ij,jk->ik", x, y)        the matrix product
//   einsum("bnhd,bmhd->bhnm", q, k)  the scores of all heads
//   einsum("i,j->ij", x, y)          the outer product
//   einsum("bij->bji", x)            a transposition
// Throws Error when a letter stands twice in one operand, has two lengths, or is in the result only. Unlike
// in PyTorch the result must be named, no axis broadcasts and "..." is not known.
Tensor einsum(const std::string& equation, const Tensor& x, const Tensor& y);
Tensor einsum(const std::string& equation, const Tensor& x);

// xᵢyⱼ of two vectors (n) and (m) → (n,m).
Tensor outer(const Tensor& x, const Tensor& y);

// x (…,n,m) with zeros above its diagonal, or below it. `diagonal` moves the boundary: 1 keeps one more
// diagonal above the main one in tril and drops the main one in triu, -1 the reverse.
Tensor tril(const Tensor& x, int diagonal = 0);
Tensor triu(const Tensor& x, int diagonal = 0);

}  // namespace headlight
