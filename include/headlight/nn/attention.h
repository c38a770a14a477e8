// Multi-head attention (Vaswani et al. 2017, section 3.2.2).
#pragma once

#include <array>
#include <optional>
#include <string>

#include "headlight/core/check.h"
#include "headlight/nn/key_values.h"
#include "headlight/nn/norm.h"
#include "headlight/nn/positions.h"
#include "headlight/ops/attention.h"

namespace headlight::nn {

struct MultiHeadAttentionConfig {
  std::size_t d_model = 64;
  std::size_t n_heads = 4;
  std::optional<std::size_t> d_head = {};    // width of a head's queries and keys; else d_model / n_heads
  std::optional<std::size_t> d_value = {};   // width of a head's values; else d_head
  std::optional<std::size_t> d_memory = {};  // width of the input of keys and values; else d_model
  bool bias = false;                         // b_Q, b_K, b_V and b_O
  bool causal = false;                       // position i sees positions 0 … i only
  std::string positions = "none";            // a name in positions(); what acts inside attention
  std::size_t n_ctx = 0;                     // the number of positions, if the kind of positions needs it
  std::size_t max_distance = 32;             // see PositionSizes
  std::size_t n_kv_heads = 0;                // heads of keys and values, which query heads share; 0: n_heads
  NormKind qk_norm = NormKind::none;         // of each head's queries and keys, with learned scales
  std::size_t window = 0;                    // query i sees keys j with |i - j| < window only; 0: all
  bool sinks = false;                        // a learned logit in each head's softmax
  double score_cap = 0;                      // scores stay between -score_cap and score_cap; 0: no bound
  bool smeared_keys = false;                 // each key takes a share of the key before it
  bool fused_qkv = false;                    // one matrix W_QKV in place of W_Q, W_K and W_V
};

// The config with n_kv_heads and every width filled in. Throws Error for what cannot be.
MultiHeadAttentionConfig filled_in(MultiHeadAttentionConfig config);

// What positions need to know of a config that is filled in.
PositionSizes position_sizes(const MultiHeadAttentionConfig& config);

// head_i = softmax(Q_i K_iᵀ/√d_head) V_i,   output = concat(head_1 … head_H) W_O
// Q = q W_Q + b_Q, K = k W_K + b_K, V = v W_V + b_V. W_Q (d, H·d_head), W_K (d, Hkv·d_head),
// W_V (d, Hkv·d_value), W_O (H·d_value, d_model): head i owns columns i·d_head … (i+1)·d_head-1 of W_Q, and
// those rows of W_O. (TransformerLens keeps W_Q as (H, d_model, d_head); the numbers are the same.) They
// start as N(0, 1/fan-in).
//
// What the config may add:
//   grouped heads   Hkv = n_kv_heads < H: query head h reads key and value head h / (H/Hkv) (Ainslie et al.
//                   2023; Hkv = 1 is Shazeer 2019's multi-query attention)
//   fused_qkv       W_QKV (d, (H + Hkv)·d_head + Hkv·d_value) = [W_Q W_K W_V], b_QKV likewise: the same model
//   smeared keys    k_t ← σ(α_h) k_t + (1 - σ(α_h)) k_(t-1), α = smear (Hkv); the first key stays. A layer by
//                   itself can then find what followed an equal token (Olsson et al. 2022)
//   QK norm         of each head's q and k over d_head, by q_norm.w and k_norm.w (d_head), before any
//                   rotation (Henry et al. 2020; Dehghani et al. 2023)
//   score cap       scores c·tanh(q·k/(√d_head·c)), before biases (Gemma Team 2024)
//   sinks           a key without a value, with the score sinks[h]: the rows of a pattern sum to less than 1
//                   (as in gpt-oss, OpenAI 2025; Xiao et al. 2023 found such sinks in trained models)
//   window          Beltagy et al. 2020
//
// Hook points:
//   hook_q, hook_k, hook_v      (B,n,H,d_head), k (B,m,Hkv,d_head), v (B,m,Hkv,d_value); as projected
//   hook_smeared_k              (B,m,Hkv,d_head); for smeared keys
//   q_norm.…, k_norm.…          those of Norm; for QK norm
//   hook_rot_q, hook_rot_k      as hook_q, hook_k; after the rotation, for positions that rotate
//   hook_attn_scores            (B,H,n,m); scaled, with biases, -∞ where a key is hidden
//   hook_pattern                (B,H,n,m); rows sum to 1, or with sinks to less. Before dropout
//   hook_z                      (B,n,H,d_value)
//   hook_result                 (B,n,H,d_model); each head's part of the output, without b_O
struct MultiHeadAttention {
  Tensor W_Q, W_K, W_V, W_O, b_Q, b_K, b_V, b_O;
  Tensor W_QKV, b_QKV;  // in place of the three, if fused
  Tensor rel_bias;      // (H,distances or buckets), for positions that learn a bias by distance
  Tensor sinks;         // (H); starts as 0, the score of an average key
  Tensor smear;         // (Hkv); starts as 0, equal shares
  std::optional<Norm> q_norm, k_norm;

  // Throws Error for what filled_in() refuses, and for positions that do not fit.
  MultiHeadAttention(const MultiHeadAttentionConfig& config, Rng& rng);

  // Self-attention: x (B,n,d_model) → (B,n,d_model). See options() for those of the call.
  Tensor operator()(const Tensor& x, const AttentionOptions& call = {}, const HooksAt& hooks = {},
                    KeyValues* kept = nullptr) const {
    return (*this)(x, x, x, call, hooks, kept);
  }

  // Queries from one tensor, keys and values from others: query (B,n,d_model), key and value (B,m,d_memory)
  // → (B,n,d_model). Cross-attention is attention(x, memory, memory). Each of the three may have an axis of
  // heads before the last, (B,n,H,d) or (B,m,Hkv,d), which gives every head its own input. With `kept`, keys
  // and values of earlier positions, the call adds its own to them, and first_query is their number.
  Tensor operator()(const Tensor& query, const Tensor& key, const Tensor& value,
                    const AttentionOptions& call = {}, const HooksAt& hooks = {},
                    KeyValues* kept = nullptr) const;

  const MultiHeadAttentionConfig& config() const { return config_; }

  // What the op is given: the options of a call, with the heads, sinks and cap of the layer, its window where
  // the call has none, and the relative bias of its positions; causal where either is. Throws Error for a
  // call that has what the layer decides.
  AttentionOptions options(AttentionOptions call) const;

  void visit(auto&& v) const {
    v("W_QKV", W_QKV), v("W_Q", W_Q), v("W_K", W_K), v("W_V", W_V), v("W_O", W_O);
    v("b_QKV", b_QKV), v("b_Q", b_Q), v("b_K", b_K), v("b_V", b_V), v("b_O", b_O);
    v("rel_bias", rel_bias), v("sinks", sinks), v("smear", smear);
    v("hook_q"), v("hook_k"), v("hook_v");
    if (config_.smeared_keys) v("hook_smeared_k");
    if (q_norm) v("q_norm", *q_norm), v("k_norm", *k_norm);
    if (rotation_) v("hook_rot_q"), v("hook_rot_k");
    v("hook_attn_scores"), v("hook_pattern"), v("hook_z"), v("hook_result");
  }

 private:
  void use_positions(Rng& rng);
  Tensor columns(const Tensor& x, int part) const;
  std::array<Tensor, 3> project(const Tensor& query, const Tensor& key, const Tensor& value,
                                const HooksAt& hooks) const;
  Tensor mix(const Tensor& q, const Tensor& k, const Tensor& v, const AttentionOptions& with,
             const HooksAt& hooks) const;
  Tensor output(const Tensor& z, const HooksAt& hooks) const;

  MultiHeadAttentionConfig config_;  // with everything filled in
  Positions::Rotation rotation_;     // of config_.positions, as is the bias; empty: none
  Positions::Bias position_bias_;
};

}  // namespace headlight::nn
