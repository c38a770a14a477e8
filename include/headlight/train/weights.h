// The parameters of a model by name.
#pragma once

#include <map>
#include <string>

#include "headlight/core/array.h"
#include "headlight/nn/transformer.h"

namespace headlight::train {

using Weights = std::map<std::string, Array>;
Weights weights_of(const nn::Transformer& model);

// Copies the weights into the model. Throws Error that names their file when a weight is missing, has a wrong
// shape or a number that is not finite, or is unknown to the model.
void set_weights(nn::Transformer& model, Weights weights, const std::string& file);

}  // namespace headlight::train
