// Scaled dot-product attention on memory as it lies: heads are read and written by stride, none is
// copied to be split or transposed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>

#include "headlight/core/real.h"

namespace headlight::inline HEADLIGHT_PRECISION::kernels {

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

// A bias that depends on the head and the relative position alone: query i and key j get number
// i - j - first of their head's `count`, or the nearest that there is. Null: none.
template <class T>
struct RelativeTerm {
  T* data = nullptr;
  std::size_t head = 0, count = 0;
  std::ptrdiff_t first = 0;

  T& at(std::size_t h, std::size_t i, std::size_t j) const {
    const std::ptrdiff_t column = static_cast<std::ptrdiff_t>(i) - static_cast<std::ptrdiff_t>(j) - first;
    return data[h * head + static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(
                               column, 0, static_cast<std::ptrdiff_t>(count) - 1))];
  }
};

struct AttentionSizes {
  std::size_t batch, heads, queries, keys, d_k, d_v;
  Real scale;               // of q·k
  std::size_t back, ahead;  // query i sees keys i-back … i+ahead, as far as there are any

  static constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();  // as back or ahead

  std::size_t first_seen(std::size_t query) const { return query > back ? query - back : 0; }
  std::size_t end_seen(std::size_t query) const {  // one past the last
    return query >= keys || ahead >= keys - query ? keys : query + ahead + 1;
  }
};

// What goes in. `visible`, `bias` and `relative` may be absent.
struct AttentionInputs {
  Heads<const Real> q, k, v;
  ScoreTerm<const bool> visible;
  ScoreTerm<const Real> bias;
  RelativeTerm<const Real> relative;
};

// Two numbers for each query, (B,H,n), from which the pattern can be had again: P_ij = scale_i e^(S_ij -
// max_i). A query that sees no key has a max and a scale of 0.
template <class T>
struct SoftmaxRows {
  T* max;
  T* scale;
};

// For every head, with the scores S = scale·q kᵀ + bias + relative, -∞ where a key is hidden:
//   P = softmax(S) in each row, out = P v
// A query that sees no key has an output of zeros. S and P exist one tile at a time, so that memory is linear
// in n: the softmax runs online, its maximum and sum corrected as tiles of keys come by (FlashAttention, Dao
// et al. 2022, algorithm 1).
void attention(const AttentionSizes& sizes, const AttentionInputs& in, Heads<Real> out,
               SoftmaxRows<Real> rows);

// Where the cotangents go. `bias` and `relative` may be absent; they must start as zeros.
struct AttentionCotangents {
  Heads<Real> q, k, v;
  ScoreTerm<Real> bias;
  RelativeTerm<Real> relative;
};

// With P computed again tile by tile, z = out and z̄ its cotangent:
//   v̄ = Pᵀ z̄,   P̄ = z̄ vᵀ,   S̄ = P ⊙ (P̄ - rowsum(z ⊙ z̄)),   q̄ = scale·S̄ k,   k̄ = scale·S̄ᵀ q
// rowsum(z ⊙ z̄) is rowsum(P ⊙ P̄) (Dao et al. 2022, appendix B.2). A bias gets Σ S̄ over all scores that it
// was added to.
void attention_vjp(const AttentionSizes& sizes, const AttentionInputs& in, Heads<const Real> out,
                   SoftmaxRows<const Real> rows, Heads<const Real> dout, const AttentionCotangents& to);

}  // namespace headlight::inline HEADLIGHT_PRECISION::kernels
