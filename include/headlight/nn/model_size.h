// The size of a model, before it is made.
#pragma once

#include "headlight/nn/transformer_config.h"

namespace headlight::inline HEADLIGHT_PRECISION::nn {

// How many numbers a forward pass keeps for a token and a sequence of the model, so that backward can use
// them: about `token` for each token. The pattern is not among them: attention never holds it.
struct ModelSize {
  double parameters = 0;  // and the tables of positions; within a tenth of the model's
  double token = 0;  // numbers kept for a token of the stack that predicts, and for its share of the source
};

// Computed in floating point, so that no size is too large to be told. Throws Error for sizes that fit no
// model.
ModelSize size_of_model(const TransformerConfig& config);

}  // namespace headlight::inline HEADLIGHT_PRECISION::nn
