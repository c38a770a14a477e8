// One layer of a transformer: attention and an optional MLP on a residual stream.
#pragma once

#include <optional>

#include "headlight/nn/attention.h"
#include "headlight/nn/layers.h"
#include "headlight/nn/norm.h"
#include "headlight/nn/transformer_config.h"

namespace headlight::inline HEADLIGHT_PRECISION::nn {

// x ← x + attn(ln1(x));  x ← x + mlp(ln2(x)) if there is an MLP        (B,n,d_model)
//
// Hook points, (B,n,d_model) where no shape is given:
//   hook_resid_pre                            the input x
//   hook_attn_in                              (B,n,H,d_model); the input of each head, before ln1
//   hook_q_input, hook_k_input, hook_v_input  (B,n,H,d_model); the same, separate for queries, keys, values
//   ln1.…, attn.…, hook_attn_out              the output of attention, which is added to x
//   hook_resid_mid, hook_mlp_in               x after attention; the input of the MLP, before ln2
//   ln2.…, mlp.…, hook_mlp_out                the output of the MLP, which is added to x
//   hook_resid_post                           the output x
// A change of hook_attn_in … hook_v_input gives each head its own norm. The hooks of ln1 do not see these
// norms; they see the norm of hook_resid_pre. While ln1 has hooks, gradients flow through ln1, and not
// through hook_attn_in … hook_v_input if hooks only read these.
struct Block {
  Norm ln1;
  MultiHeadAttention attn;
  std::optional<Norm> ln2;
  std::optional<MLP> mlp;

  Block(const TransformerConfig& config, Rng& rng);

  // `positions` (n,d_model), if defined, is added to the input of queries and keys.
  Tensor operator()(const Tensor& x, const Tensor& positions = {}, const HooksAt& hooks = {}) const;

  void visit(auto&& v) const {
    v("hook_resid_pre"), v("hook_attn_in");
    v("hook_q_input"), v("hook_k_input"), v("hook_v_input");
    v("ln1", ln1), v("attn", attn);
    v("hook_attn_out");
    if (mlp) {
      v("hook_resid_mid"), v("hook_mlp_in");
      v("ln2", *ln2), v("mlp", *mlp);
      v("hook_mlp_out");
    }
    v("hook_resid_post");
  }

 private:
  Tensor attend(const Tensor& x, const Tensor& positions, const HooksAt& hooks) const;
};

}  // namespace headlight::inline HEADLIGHT_PRECISION::nn
