// The parameters of a model by name.
#pragma once

#include <map>
#include <string>

#include "headlight/core/array.h"
#include "headlight/nn/transformer.h"

namespace headlight::train {

// Arrays by the names of named_parameters(), and those of a model.
using Weights = std::map<std::string, Array>;
Weights weights_of(const nn::Transformer& model);

// The same of any module: of its nn::named_parameters().
Weights weights_of(const nn::NamedParameters& parameters);

// The bytes of a model's model.safetensors.
std::string to_safetensors(const nn::Transformer& model);

// Throws FileError that names the weights' file when one is missing, has a wrong shape or a number that is
// not finite, or is unknown to the model.
void check_weights(const nn::Transformer& model, const Weights& weights, const std::string& file);
void check_weights(const nn::NamedParameters& parameters, const Weights& weights, const std::string& file);

// Copies the weights into the model. Throws FileError as check_weights does.
void set_weights(nn::Transformer& model, Weights weights, const std::string& file);
void set_weights(const nn::NamedParameters& parameters, Weights weights, const std::string& file);

}  // namespace headlight::train
