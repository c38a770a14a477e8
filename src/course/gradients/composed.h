// The tape's side of the ledger: attention, block and model composed of simple recorded ops. These expose the
// intermediate results that the fused ops do not.
#pragma once

#include "headlight/nn/transformer.h"

namespace headlight::composed {

struct Attention {
  Tensor q, k, v;  // (B,n,H·d_k), (B,m,H·d_k), (B,m,H·d_v); before any rotation
  Tensor scores;   // (B,H,n,m), scaled, with bias, -∞ where a key is hidden
  Tensor pattern;  // (B,H,n,m)
  Tensor out;      // (B,n,d_model)
};

Attention attention(const nn::MultiHeadAttention& layer, const Tensor& x, const Tensor& memory,
                    const AttentionOptions& call = {});
Tensor block(const nn::Block& layer, const Tensor& x);

// Mean next-token loss of a model with rotary positions.
Tensor loss(const nn::Transformer& model, const IntArray& tokens, const IntArray& targets);

}  // namespace headlight::composed
