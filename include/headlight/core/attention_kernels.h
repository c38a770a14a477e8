// Scaled dot-product attention in place: heads are read and written by stride, and never copied to split
// or transpose them. What the kernels call of these structs is always inlined (see
// src/engine/core/kernels/kernels.h).
#pragma once

#include <cstddef>
#include <limits>

#include "headlight/core/pattern_dropout.h"
#include "headlight/core/real.h"

namespace headlight::kernels {

// The vectors of all heads: the vector of (batch b, head h, position i) starts at
// data + b·batch + (h / share)·head + i·row. Both (B,n,H·d) and (B,H,n,d) have this form. `share` consecutive
// query heads read the same head of keys and values.
template <class T>
struct Heads {
  T* data;
  std::size_t batch, head, row, share = 1;

  [[gnu::always_inline]] T* at(std::size_t b, std::size_t h) const {
    return data + b * batch + h / share * head;
  }
};

// A mask or bias as seen by every (b, h, query i, key j), broadcast where a stride is 0. Null: none.
template <class T>
struct ScoreTerm {
  T* data = nullptr;
  std::size_t batch = 0, head = 0, query = 0, key = 0;

  [[gnu::always_inline]] T* at(std::size_t b, std::size_t h, std::size_t i) const {
    return data + b * batch + h * head + i * query;
  }
};

// A bias that depends on the head and the relative position only: the score of query i and key j gets
// number i - j - first of the head's `count` numbers, clamped to the first and the last. Null: none.
template <class T>
struct RelativeTerm {
  T* data = nullptr;
  std::size_t head = 0, count = 0;
  std::ptrdiff_t first = 0;

  [[gnu::always_inline]] T& at(std::size_t h, std::size_t i, std::size_t j) const {
    const std::ptrdiff_t column = static_cast<std::ptrdiff_t>(i) - static_cast<std::ptrdiff_t>(j) - first;
    const std::ptrdiff_t last = static_cast<std::ptrdiff_t>(count) - 1;
    return data[h * head + static_cast<std::size_t>(column < 0 ? 0 : column < last ? column : last)];
  }
};

struct AttentionSizes {
  std::size_t batch, heads, queries, keys, d_k, d_v;
  Real scale;               // of q·k
  std::size_t back, ahead;  // the query at position p sees those of the keys p-back … p+ahead that exist
  std::size_t first_query = 0;  // query i stands at position i + first_query
  Real cap = 0;  // c: scores become c·tanh(scale·q·k / c) before anything is added; 0: they stay

  static constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();  // as back or ahead

  [[gnu::always_inline]] std::size_t position(std::size_t query) const { return first_query + query; }
  [[gnu::always_inline]] std::size_t first_seen(std::size_t query) const {
    return position(query) > back ? position(query) - back : 0;
  }
  [[gnu::always_inline]] std::size_t end_seen(std::size_t query) const {  // one past the last
    const std::size_t at = position(query);
    return at >= keys || ahead >= keys - at ? keys : at + ahead + 1;
  }
};

// The inputs. All but q, k and v may be absent.
struct AttentionInputs {
  Heads<const Real> q, k, v;
  ScoreTerm<const bool> visible;
  ScoreTerm<const Real> bias;
  RelativeTerm<const Real> relative;
  const Real* sinks = nullptr;  // (H)
  PatternDropout dropout = {};
};

// Two numbers per query, (B,H,n), from which the backward pass recomputes the pattern: P_ij = scale_i e^(S_ij
// - max_i). A query that sees no key has a max and a scale of 0.
template <class T>
struct SoftmaxRows {
  T* max;
  T* scale;
};

// For every head, with the scores S = scale·q kᵀ (capped) + bias + relative, -∞ where a key is hidden:
//   P = softmax(S) in each row, out = (P ⊙ D) v
// D are the factors of dropout, or 1. With sinks, e^sink of the head is one more term of the denominator of
// P, and nothing else (Xiao et al. 2023 let the first token play this part; gpt-oss learns a number per
// head). A query that sees no key has an output of zeros. S and P are computed one tile at a time, so memory
// is linear in n. The softmax is online: each tile of keys corrects its maximum and its sum (FlashAttention,
// Dao et al. 2022, algorithm 1).
void attention(const AttentionSizes& sizes, const AttentionInputs& in, Heads<Real> out,
               SoftmaxRows<Real> rows);

// Where the cotangents go. `bias`, `relative` and `sinks` may be absent; they must start as zeros.
struct AttentionCotangents {
  Heads<Real> q, k, v;
  ScoreTerm<Real> bias;
  RelativeTerm<Real> relative;
  Real* sinks = nullptr;
};

// Recomputes P tile by tile. With z = out and z̄ its cotangent:
//   v̄ = (P ⊙ D)ᵀ z̄,   P̄ = D ⊙ z̄ vᵀ,   S̄ = P ⊙ (P̄ - rowsum(z ⊙ z̄)),   q̄ = scale·S̄ k,   k̄ = scale·S̄ᵀ q
// rowsum(z ⊙ z̄) is rowsum(P ⊙ P̄) (Dao et al. 2022, appendix B.2). The cotangent of a bias is Σ S̄ over all
// scores that it was added to. In q̄ and k̄ a capped score has the factor 1 - tanh². A sink has no value, so
// its cotangent is -Σ P_sink·rowsum(z ⊙ z̄) over its head's queries. Heads of keys and values that are shared
// get the sum over the query heads that read them.
void attention_vjp(const AttentionSizes& sizes, const AttentionInputs& in, Heads<const Real> out,
                   SoftmaxRows<const Real> rows, Heads<const Real> dout, const AttentionCotangents& to);

}  // namespace headlight::kernels
