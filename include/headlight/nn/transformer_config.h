// The sizes and kinds of a transformer.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>

#include "headlight/nn/architecture.h"
#include "headlight/nn/norm.h"

namespace headlight::nn {

// The parts of attention are described in nn/attention.h. check_model() says which combinations make sense.
struct TransformerConfig {
  Architecture architecture = Architecture::decoder;
  std::size_t n_layers = 2;
  std::size_t d_model = 64;
  std::size_t n_heads = 4;
  std::size_t d_head = 0;  // 0: d_model / n_heads
  std::size_t d_mlp = 0;   // 0: attention only
  std::size_t d_vocab = 64;
  std::size_t n_ctx = 64;            // longest sequence
  std::size_t n_source = 0;          // longest source of an encoder–decoder
  std::string positions = "rotary";  // a name in positions()
  std::size_t max_distance = 32;     // relative positions: distances from here on are alike
  NormKind norm = NormKind::layer;
  NormPlace norm_place = NormPlace::pre;
  std::string mlp = "gelu";    // a name in activations(), for d_mlp > 0
  std::size_t n_kv_heads = 0;  // heads of keys and values, which query heads share; 0: n_heads
  NormKind qk_norm = NormKind::none;
  std::size_t window = 0;        // a query sees so many tokens, itself included; 0: all
  bool sinks = false;            // a learned logit in each head's softmax
  double score_cap = 0;          // bound on scores; 0: none
  bool smeared_keys = false;     // each key takes a share of the key before it
  double dropout = 0;            // of patterns, while training
  bool fused_qkv = false;        // one matrix for queries, keys and values
  bool bias = false;             // in attention and MLPs
  bool tied_embeddings = false;  // the unembedding is W_E transposed

  // The positions that a stack can hold: source and target have the same kind of positions.
  std::size_t n_positions() const { return std::max(n_ctx, n_source); }
};

}  // namespace headlight::nn
