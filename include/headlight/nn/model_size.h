// The size of a model, before it is made.
#pragma once

#include "headlight/nn/transformer_config.h"

namespace headlight::nn {

struct ModelSize {
  double parameters = 0;  // without those of positions
  double positions = 0;   // numbers in the tables of positions, learned or not
  // What a forward pass keeps of a token for backward. Patterns are never held.
  double token = 0;

  // At most a tenth fewer, and a quarter more, than the parameters that the model has.
  double numbers() const { return parameters + positions; }
};

// Computed in floating point, so that no size is too large to be printed. Throws Error for sizes that fit no
// model.
ModelSize size_of_model(const TransformerConfig& config);

}  // namespace headlight::nn
