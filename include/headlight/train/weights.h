// The parameters of a model by name.
#pragma once

#include <map>
#include <string>

#include "headlight/core/array.h"
#include "headlight/nn/transformer.h"

namespace headlight::inline HEADLIGHT_PRECISION::train {

using Weights = std::map<std::string, Array>;
Weights weights_of(const nn::Transformer& model);

// Puts the weights into the model. Throws Error, naming the file they are from, when one is missing, has
// another shape or a number that is not finite, or is none of the model's.
void set_weights(nn::Transformer& model, Weights weights, const std::string& file);

}  // namespace headlight::inline HEADLIGHT_PRECISION::train
