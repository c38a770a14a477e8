// A decoder-only transformer: attention-only, or with MLPs.
#pragma once

#include <vector>

#include "headlight/nn/block.h"

namespace headlight::inline HEADLIGHT_PRECISION::nn {

// logits = ln_final(blocks(embed(tokens) + positions)) W_U. Pre-norm, with a final norm.
//
// Hook points: hook_embed (B,n,d_model), hook_pos_embed (n,d_model) for learned positions, those of each
// block as "blocks.0.hook_resid_pre", and those of ln_final. hook_names(model) lists them.
//
// A model can be moved, and copied by clone(model) only.
struct Transformer {
  Embedding embed;
  Tensor W_pos;  // (n_ctx,d_model), for learned positions
  std::vector<Block> blocks;
  Norm ln_final;
  Linear unembed;

  // Throws Error for invalid sizes: 0 heads, d_model not divisible, an odd d_head with rotary positions.
  Transformer(const TransformerConfig& config, Rng& rng);
  Transformer(Transformer&&) = default;
  Transformer& operator=(Transformer&&) = default;

  // tokens (B,n), n ≤ n_ctx → logits (B,n,d_vocab). Position i sees tokens 0 … i. Throws Error for a token
  // outside the vocabulary, a sequence that is too long, or a hook on an activation that the model lacks.
  Tensor operator()(const IntArray& tokens, const HooksAt& hooks = {}) const;

  const TransformerConfig& config() const { return config_; }

  void visit(auto&& v) const {
    v("embed.W_E", embed.W), v("hook_embed");
    if (W_pos.defined()) v("pos_embed.W_pos", W_pos), v("hook_pos_embed");
    v("blocks", blocks);
    v("ln_final", ln_final);
    v("unembed.W_U", unembed.W);
  }

 private:
  friend Transformer clone<Transformer>(const Transformer& model);
  Transformer(const Transformer&) = default;  // shares the parameters; for clone(), which replaces them

  TransformerConfig config_;
};

}  // namespace headlight::inline HEADLIGHT_PRECISION::nn
