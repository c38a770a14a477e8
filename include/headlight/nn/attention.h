// Multi-head attention (Vaswani et al. 2017, section 3.2.2).
#pragma once

#include <optional>

#include "headlight/core/check.h"
#include "headlight/nn/module.h"
#include "headlight/ops/attention.h"
#include "headlight/ops/rotary.h"

namespace headlight::inline HEADLIGHT_PRECISION::nn {

struct MultiHeadAttentionConfig {
  std::size_t d_model = 64;
  std::size_t n_heads = 4;
  std::optional<std::size_t> d_head = {};    // width of a head's queries and keys; else d_model / n_heads
  std::optional<std::size_t> d_value = {};   // width of a head's values; else d_head
  std::optional<std::size_t> d_memory = {};  // width of the input of keys and values; else d_model
  bool bias = false;                         // b_Q, b_K, b_V and b_O
  bool causal = false;                       // position i sees positions 0 … i only
  std::optional<std::size_t> rotary_positions = {};  // rotate queries and keys; the number of positions
};

// Optional terms of a single call.
struct AttentionTerms {
  std::optional<BoolArray> mask = {};      // true: may attend; broadcasts to (B,H,n,m)
  Tensor bias = {};                        // added to the scores; broadcasts to (B,H,n,m)
  RelativeBias relative = {};              // added to the scores, by head and relative position
  std::optional<std::size_t> window = {};  // query i sees keys j with |i - j| < window only
};

// head_i = softmax(Q_i K_iᵀ/√d_head) V_i,   output = concat(head_1 … head_H) W_O
// Q = q W_Q + b_Q, K = k W_K + b_K, V = v W_V + b_V. W_Q, W_K (d, H·d_head), W_V (d, H·d_value),
// W_O (H·d_value, d_model): head i owns columns i·d_head … (i+1)·d_head-1 of W_Q, and those rows of W_O.
// (TransformerLens keeps W_Q as (H, d_model, d_head); the numbers are the same.) They start as N(0,
// 1/fan-in).
//
// Hook points:
//   hook_q, hook_k, hook_v      (B,n,H,d_head), v (B,m,H,d_value); before any rotation
//   hook_rot_q, hook_rot_k      (B,n,H,d_head); after the rotation, for rotary positions only
//   hook_attn_scores            (B,H,n,m); scaled, with biases, -∞ where a key is hidden
//   hook_pattern                (B,H,n,m); rows sum to 1
//   hook_z                      (B,n,H,d_value)
//   hook_result                 (B,n,H,d_model); each head's part of the output, without b_O
struct MultiHeadAttention {
  Tensor W_Q, W_K, W_V, W_O, b_Q, b_K, b_V, b_O;

  // Throws Error when d_head is not given and n_heads does not divide d_model, or a size is 0.
  MultiHeadAttention(const MultiHeadAttentionConfig& config, Rng& rng);

  // Self-attention: x (B,n,d_model) → (B,n,d_model).
  Tensor operator()(const Tensor& x, const AttentionTerms& terms = {}, const HooksAt& hooks = {}) const {
    return (*this)(x, x, x, terms, hooks);
  }

  // Queries from one tensor, keys and values from others: query (B,n,d_model), key and value (B,m,d_memory)
  // → (B,n,d_model). Cross-attention is attention(x, memory, memory). Each of the three may have an axis of
  // heads before the last, (B,n,H,d), which gives every head its own input.
  Tensor operator()(const Tensor& query, const Tensor& key, const Tensor& value,
                    const AttentionTerms& terms = {}, const HooksAt& hooks = {}) const;

  const MultiHeadAttentionConfig& config() const { return config_; }

  // The options of the op for a call with these terms.
  AttentionOptions options(const AttentionTerms& terms) const;

  void visit(auto&& v) const {
    v("W_Q", W_Q), v("W_K", W_K), v("W_V", W_V), v("W_O", W_O);
    v("b_Q", b_Q), v("b_K", b_K), v("b_V", b_V), v("b_O", b_O);
    v("hook_q"), v("hook_k"), v("hook_v");
    if (config_.rotary_positions) v("hook_rot_q"), v("hook_rot_k");
    v("hook_attn_scores"), v("hook_pattern"), v("hook_z"), v("hook_result");
  }

 private:
  Tensor project(const Tensor& x, const Tensor& W, const Tensor& b, const HooksAt& hooks) const;
  Tensor per_head(const char* hook, const Tensor& x, const HooksAt& hooks) const;
  Tensor mix(const Tensor& q, const Tensor& k, const Tensor& v, const AttentionTerms& terms,
             const HooksAt& hooks) const;
  Tensor output(const Tensor& z, const HooksAt& hooks) const;

  MultiHeadAttentionConfig config_;  // with every width filled in
  RotaryTable rotary_;
};

}  // namespace headlight::inline HEADLIGHT_PRECISION::nn
