// One layer of a transformer: attention and an optional MLP on a residual stream.
#pragma once

#include <optional>

#include "headlight/nn/attention.h"
#include "headlight/nn/layers.h"
#include "headlight/nn/norm.h"
#include "headlight/nn/transformer_config.h"

namespace headlight::nn {

// pre:   x ← x + attn(ln1(x))
//        x ← x + cross_attn(ln_cross(x), memory)   in the decoder of an encoder–decoder
//        x ← x + mlp(ln2(x))                       if there is an MLP
// post:  x ← ln1(x + attn(x));  x ← ln_cross(x + cross_attn(x, memory));  x ← ln2(x + mlp(x))
// with x (B,n,d_model) and memory (B,m,d_model).
//
// Cross-attention (Vaswani et al. 2017, section 3.2.3) has queries of x, keys and values of the memory, and
// no mask. It has no rotary or other relative positions, because positions of source and target are different
// axes (as in T5, Raffel et al. 2020): the memory knows its positions from the encoder.
//
// Hook points, (B,n,d_model) where no shape is given:
//   hook_resid_pre                            the input x
//   hook_attn_in                              (B,n,H,d_model); the input of each head, before ln1 of pre
//   hook_q_input, hook_k_input, hook_v_input  (B,n,H,d_model); the same, separate for queries, keys, values
//                                             (keys and values have n_kv_heads heads; if these are fewer,
//                                             there is no hook_attn_in)
//   ln1.…, attn.…, hook_attn_out              the output of attention, which is added to x
//   hook_resid_mid                            x after self-attention, unless it is the output
//   ln_cross.…, cross_attn.…                  cross_attn.hook_pattern is (B,H,n,m)
//   hook_cross_attn_out                       the output of cross-attention, which is added to x
//   hook_resid_mid_cross                      x after cross-attention, unless it is the output
//   hook_mlp_in                               the input of the MLP, before ln2 of pre
//   ln2.…, mlp.…, hook_mlp_out                the output of the MLP, which is added to x
//   hook_resid_post                           x after the MLP, or after attention without one: the output
//   hook_normalized_resid_post                the output of a post-norm block, whose hook_resid_mid,
//                                             hook_resid_mid_cross and hook_resid_post are the
//                                             sums before ln1, ln_cross and ln2
// A change of hook_attn_in … hook_v_input gives each head its own norm. The hooks of ln1 do not see these
// norms; they see the norm of hook_resid_pre. While ln1 has hooks, gradients flow through ln1, and not
// through hook_attn_in … hook_v_input if hooks only read these.
struct Block {
  Norm ln1;
  MultiHeadAttention attn;
  std::optional<Norm> ln_cross;
  std::optional<MultiHeadAttention> cross_attn;
  std::optional<Norm> ln2;
  std::optional<MLP> mlp;

  // A block of the encoder, or of the stack that predicts.
  enum class Role { encodes, predicts };
  Block(const TransformerConfig& config, Rng& rng, Role role = Role::predicts);

  // `positions` (n,d_model), if defined, is added to the input of queries and keys. Throws Error for a memory
  // if the block has no cross-attention, and for none if it has. The options are those of self-attention;
  // cross-attention has only their dropout.
  Tensor operator()(const Tensor& x, const Tensor& positions = {}, const HooksAt& hooks = {},
                    const AttentionOptions& call = {}, const Tensor& memory = {},
                    KeyValues* kept = nullptr) const;

  void visit(auto&& v) const {
    v("hook_resid_pre");
    if (attn.config().n_kv_heads == attn.config().n_heads) v("hook_attn_in");
    v("hook_q_input"), v("hook_k_input"), v("hook_v_input");
    v("ln1", ln1), v("attn", attn);
    v("hook_attn_out");
    if (cross_attn || mlp) v("hook_resid_mid");
    if (cross_attn) {
      v("ln_cross", *ln_cross), v("cross_attn", *cross_attn);
      v("hook_cross_attn_out");
      if (mlp) v("hook_resid_mid_cross");
    }
    if (mlp) {
      v("hook_mlp_in");
      v("ln2", *ln2), v("mlp", *mlp);
      v("hook_mlp_out");
    }
    v("hook_resid_post");
    if (norm_place_ == NormPlace::post) v("hook_normalized_resid_post");
  }

 private:
  Tensor before(const Norm& norm, const Tensor& x, const HooksAt& hooks) const;
  Tensor after(const Norm& norm, const Tensor& x, const HooksAt& hooks) const;
  Tensor attend(const Tensor& x, const Tensor& positions, const HooksAt& hooks, const AttentionOptions& call,
                KeyValues* kept) const;

  NormPlace norm_place_;
};

}  // namespace headlight::nn
