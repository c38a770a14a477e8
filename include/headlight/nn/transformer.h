// A transformer: a decoder, an encoder, or both; attention-only, or with MLPs.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "headlight/nn/block.h"
#include "headlight/nn/positions.h"

namespace headlight::nn {

// What a forward pass is given besides the tokens.
struct Given {
  IntArray source = IntArray::from_shape({0});  // (B,m) tokens of an encoder–decoder's source; empty: none
  std::optional<std::uint64_t> dropout_seed = {};  // while training: which weights of patterns are dropped
  KeyValueCache* cache = nullptr;  // keys and values of earlier positions, which the tokens follow
};

// logits = ln_final(blocks(embed(tokens) + positions)) W_U. W_U is W_Eᵀ with tied embeddings (Press & Wolf
// 2017). Post-norm blocks end with a norm, so they have no ln_final and no encoder_ln_final.
// An encoder–decoder's blocks also attend to
//   memory = encoder_ln_final(encoder(embed(source) + positions))    (B,m,d_model)
// Source and target share vocabulary, embedding and positions; each begins at position 0.
//
// Hook points: hook_embed (B,n,d_model), hook_pos_embed (n,d_model) for positions with vectors, those of each
// block as "blocks.0.hook_resid_pre", and those of ln_final. An encoder–decoder also has, for its source,
// hook_source_embed (B,m,d_model), hook_source_pos_embed (m,d_model), those of each block as
// "encoder.0.hook_resid_pre", and those of encoder_ln_final. hook_names(model) lists them.
//
// A model can be moved, and copied by clone(model) only.
struct Transformer {
  Embedding embed;
  Tensor W_pos;  // (max(n_ctx,n_source),d_model), for positions with vectors; a parameter if they are learned
  std::vector<Block> encoder;            // of an encoder–decoder
  std::optional<Norm> encoder_ln_final;  // of an encoder–decoder
  std::vector<Block> blocks;             // the stack that predicts
  Norm ln_final;
  Linear unembed;

  // Throws Error for a config that check_model() refuses.
  Transformer(const TransformerConfig& config, Rng& rng);
  Transformer(Transformer&&) = default;
  Transformer& operator=(Transformer&&) = default;

  // tokens (B,n), n ≤ n_ctx → logits (B,n,d_vocab). Position i sees tokens 0 … i; of an encoder, all tokens.
  // Throws Error for a token outside the vocabulary, a sequence that is too long, a hook on an activation
  // that the model lacks, an encoder–decoder without a source, another model with one, or another source than
  // that of the cache.
  Tensor operator()(const IntArray& tokens, const HooksAt& hooks = {}, const Given& given = {}) const;

  // ln_final(x) W_U of a residual stream x (…,d_model) → (…,d_vocab).
  Tensor logits_of(const Tensor& x, const HooksAt& of_norm = {}) const;

  const TransformerConfig& config() const { return config_; }

  void visit(auto&& v) const {
    v("embed.W_E", embed.W), v("hook_embed");
    if (W_pos.defined() && positions_.learned) v("pos_embed.W_pos", W_pos);
    if (W_pos.defined()) v("hook_pos_embed");
    if (encoder_ln_final) {
      v("hook_source_embed");
      if (W_pos.defined()) v("hook_source_pos_embed");
      v("encoder", encoder), v("encoder_ln_final", *encoder_ln_final);
    }
    v("blocks", blocks);
    v("ln_final", ln_final);
    v("unembed.W_U", unembed.W);
  }

 private:
  struct Read {
    Tensor x, positions;  // the first residual stream, and what is added to the input of queries and keys
  };
  Read read(const char* what, const IntArray& tokens, std::size_t first, std::size_t longest,
            const HooksAt& hooks, const char* hook_embed, const char* hook_pos_embed) const;
  Tensor memory_of(const Given& given, std::size_t batch, const HooksAt& hooks) const;

  friend Transformer clone<Transformer>(const Transformer& model);
  Transformer(const Transformer&) = default;  // shares the parameters; for clone(), which replaces them

  TransformerConfig config_;
  Positions positions_;
};

}  // namespace headlight::nn
