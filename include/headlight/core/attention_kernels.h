// Scaled dot-product attention on memory as it lies: heads are read and written by stride, none is
// copied to be split or transposed.
#pragma once

#include <cstddef>

#include "headlight/core/real.h"

namespace headlight::kernels {

// Vectors of all heads somewhere in memory: the one at (batch b, head h, position i) starts at
// data + b·batch + h·head + i·row. (B,n,H·d) and (B,H,n,d) are both of this form.
template <class T>
struct Heads {
  T* data;
  std::size_t batch, head, row;

  T* at(std::size_t b, std::size_t h) const { return data + b * batch + h * head; }
};

// A mask or bias as seen by every (b, h, query i, key j), broadcast where a stride is 0. Null: none.
template <class T>
struct ScoreTerm {
  T* data = nullptr;
  std::size_t batch = 0, head = 0, query = 0, key = 0;

  T* at(std::size_t b, std::size_t h, std::size_t i) const { return data + b * batch + h * head + i * query; }
};

struct AttentionSizes {
  std::size_t batch, heads, queries, keys, d_k, d_v;
  Real scale;   // of q·k
  bool causal;  // query i sees keys 0 … i only
};

// For every head:  pattern = softmax(scale·q kᵀ + bias, where visible)      (B,H,n,m), kept for backward
//                  out     = pattern·v
// A query that sees no key has a pattern and an output of zeros.
void attention(const AttentionSizes& sizes, Heads<const Real> q, Heads<const Real> k, Heads<const Real> v,
               ScoreTerm<const bool> visible, ScoreTerm<const Real> bias, Real* pattern, Heads<Real> out);

// With P the pattern and ō the cotangent of the output:
//   v̄ = Pᵀ ō,   P̄ = ō vᵀ,   S̄ = P ⊙ (P̄ - rowsum(P ⊙ P̄)),   q̄ = scale·S̄ k,   k̄ = scale·S̄ᵀ q
// dbias (may be absent) gets Σ S̄ over whatever it was broadcast along; it must start as zeros.
void attention_vjp(const AttentionSizes& sizes, Heads<const Real> q, Heads<const Real> k, Heads<const Real> v,
                   const Real* pattern, Heads<const Real> dout, Heads<Real> dq, Heads<Real> dk,
                   Heads<Real> dv, ScoreTerm<Real> dbias);

}  // namespace headlight::kernels
