// The weights of lesson 14 as a transformer of the library, which runs batches and can be examined.
#pragma once

#include <algorithm>

#include "circuit.h"
#include "headlight/nn/transformer.h"

namespace headlight {

// Copies the heads of a layer into one attention: head i owns columns i·d_head … of W_Q, W_K, W_V, and those
// rows of W_O.
inline void copy_heads(const std::array<Head, 2>& heads, nn::MultiHeadAttention& attention) {
  for (std::size_t h = 0; h < heads.size(); ++h) {
    const Head& head = heads[h];
    const std::size_t first = h * head.d_head(), width = head.W_O.shape()[1];
    for (const auto& [from, to] :
         {std::pair{&head.W_Q, &attention.W_Q}, {&head.W_K, &attention.W_K}, {&head.W_V, &attention.W_V}})
      for (std::size_t i = 0; i < width; ++i)
        for (std::size_t c = 0; c < head.d_head(); ++c) to->mutable_array()(i, first + c) = (*from)(i, c);
    for (std::size_t c = 0; c < head.d_head(); ++c)
      for (std::size_t i = 0; i < width; ++i) attention.W_O.mutable_array()(first + c, i) = head.W_O(c, i);
  }
}

inline nn::Transformer transformer_of(const Weights& w) {
  const std::size_t V = w.stream.token.size, T = w.stream.position.size;
  Rng unused(0);  // every weight is replaced
  nn::Transformer model({.n_layers = 2,
                         .d_model = w.stream.width(),
                         .n_heads = 2,
                         .d_head = V + T,
                         .d_vocab = V,
                         .n_ctx = T,
                         .positions = "learned",
                         .norm = nn::NormKind::none},
                        unused);
  model.embed.W.mutable_array() = w.W_E;
  model.W_pos.mutable_array() = w.W_pos;
  model.unembed.W.mutable_array() = w.W_U;
  copy_heads(w.layer_0, model.blocks[0].attn);
  copy_heads(w.layer_1, model.blocks[1].attn);
  return model;
}

}  // namespace headlight
