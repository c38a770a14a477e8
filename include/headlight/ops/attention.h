// Scaled dot-product attention (Vaswani et al. 2017, eq. 1) and rotary positions.
#pragma once

#include <optional>

#include "headlight/autograd/tensor.h"

namespace headlight {

struct AttentionOptions {
  bool causal = false;                      // query i sees keys 0 … i only
  std::optional<BoolArray> mask = {};       // true: may attend; broadcasts to the scores
  Tensor bias = {};                         // added to the scaled scores; broadcasts to them; differentiable
  std::optional<double> scale = {};         // else 1/√d_k
  std::optional<std::size_t> n_heads = {};  // so many heads lie side by side in the last axis; else heads
                                            // have an axis of their own
};

// (queries, keys): true where key j ≤ query i.
BoolArray causal_mask(std::size_t queries, std::size_t keys);

// out = softmax(scale·q kᵀ + bias, over the visible keys) v
//   without n_heads:  q (…,n,d_k), k (…,m,d_k), v (…,m,d_v) → (…,n,d_v); at most two leading axes, equal in
//                      all three, (B,H)
//   with n_heads H:  q (B,n,H·d_k), k (B,m,H·d_k), v (B,m,H·d_v) → (B,n,H·d_v), heads read in place
// The scores are (B,H,n,m), without the axes that q lacks. A query that sees no key at all gives zeros, not
// NaN. Throws Error when shapes do not fit.
Tensor scaled_dot_product_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                    const AttentionOptions& options = {});

// The same composed of simple ops, in three steps with softmax(scores) between the two that are here:
// attention_scores are scale·q kᵀ + bias, -∞ where a key is hidden, (…,n,m); attention_output is pattern·v.
// The layer takes these steps when hooks change scores or pattern, and the ledger for its side of the tape.
namespace reference {
Tensor attention_scores(const Tensor& q, const Tensor& k, const AttentionOptions& options = {});
Tensor attention_output(const Tensor& pattern, const Tensor& v, const AttentionOptions& options = {});
Tensor scaled_dot_product_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                    const AttentionOptions& options = {});
}  // namespace reference

// Angles of rotary positions (Su et al. 2021): cos and sin of p·base^(-2i/d_head), both (positions,
// d_head/2).
struct RotaryTable {
  Tensor cos, sin;
};
RotaryTable rotary_table(std::size_t positions, std::size_t d_head, double base = 10000);

// Rotates every head of x (B,n,H·d_head) by the angles of its position; position p of x takes row p of the
// table. `inverse` rotates back. q·k then depends on the positions' difference alone.
Tensor rotary(const Tensor& x, const RotaryTable& table, bool inverse = false);

}  // namespace headlight
