// A decoder-only transformer: attention-only, or with MLPs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "headlight/nn/attention.h"
#include "headlight/nn/layers.h"

namespace headlight::nn {

// How a model knows the order of its tokens.
enum class Positions {
  rotary,      // queries and keys are rotated by their position (Su et al. 2021)
  learned,     // a learned vector for each position, added to the embedding
  learned_qk,  // the same, added only to what makes queries and keys (shortformer, Press et al. 2021)
  none,        // only through the causal mask
};
std::string to_string(Positions positions);
Positions positions_from(
    const std::string& name);  // "rotary", "learned", "learned-qk", "none"; else throws Error

struct TransformerConfig {
  std::size_t n_layers = 2;
  std::size_t d_model = 64;
  std::size_t n_heads = 4;
  std::size_t d_head = 0;  // 0: d_model / n_heads
  std::size_t d_mlp = 0;   // 0: attention only
  std::size_t d_vocab = 64;
  std::size_t n_ctx = 64;  // longest sequence
  Positions positions = Positions::rotary;
  bool bias = false;  // in attention and MLPs
};

// x ← x + attn(ln1(x));  x ← x + mlp(ln2(x)) when there is one        (B,n,d_model)
struct Block {
  LayerNorm ln1;
  MultiHeadAttention attn;
  std::optional<LayerNorm> ln2;
  std::optional<MLP> mlp;
  HookPoint hook_resid_pre, hook_attn_out, hook_resid_mid, hook_mlp_out, hook_resid_post;  // (B,n,d_model)

  Block(const TransformerConfig& config, Rng& rng);

  // `positions` (n,d_model), if defined, is added to what makes queries and keys.
  Tensor operator()(const Tensor& x, const Tensor& positions = {}) const;

  void visit(auto&& v) {
    v("hook_resid_pre", hook_resid_pre);
    v("ln1", ln1), v("attn", attn);
    v("hook_attn_out", hook_attn_out);
    if (mlp) {
      v("hook_resid_mid", hook_resid_mid);
      v("ln2", *ln2), v("mlp", *mlp);
      v("hook_mlp_out", hook_mlp_out);
    }
    v("hook_resid_post", hook_resid_post);
  }
};

// logits = ln_final(blocks(embed(tokens) + positions)) W_U. Pre-norm, with a final norm.
struct Transformer {
  Embedding embed;
  Tensor W_pos;  // (n_ctx,d_model), for learned positions
  std::vector<Block> blocks;
  LayerNorm ln_final;
  Linear unembed;
  HookPoint hook_embed, hook_pos_embed;  // (B,n,d_model) and (n,d_model)

  // Throws Error for sizes that cannot be: 0 heads, d_model not divisible, an odd d_head with rotary
  // positions.
  Transformer(const TransformerConfig& config, Rng& rng);

  // tokens (B,n), n ≤ n_ctx → logits (B,n,d_vocab). Position i sees tokens 0 … i. Throws Error for a token
  // outside the vocabulary or a sequence that is too long.
  Tensor operator()(const IntArray& tokens) const;

  const TransformerConfig& config() const { return config_; }

  void visit(auto&& v) {
    v("embed.W_E", embed.W), v("hook_embed", hook_embed);
    if (W_pos.defined()) v("pos_embed.W_pos", W_pos), v("hook_pos_embed", hook_pos_embed);
    v("blocks", blocks);
    v("ln_final", ln_final);
    v("unembed.W_U", unembed.W);
  }

 private:
  TransformerConfig config_;
};

}  // namespace headlight::nn
