// Which models make sense.
#pragma once

#include "headlight/nn/attention.h"
#include "headlight/nn/transformer_config.h"

namespace headlight::nn {

// Throws Error for a config whose sizes or parts do not fit together, in a sentence that says why. The
// constructor of Transformer calls it; a program may call it before it has a model.
void check_model(const TransformerConfig& config);

// The self-attention of each block of the model.
MultiHeadAttentionConfig self_attention_of(const TransformerConfig& config, bool predicts = true);

// The same for cross-attention: without positions, window and smeared keys, which count distances in one
// sequence, and without a joint projection, because queries and keys have different inputs.
MultiHeadAttentionConfig cross_attention_of(const TransformerConfig& config);

}  // namespace headlight::nn
