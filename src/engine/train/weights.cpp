#include "headlight/train/weights.h"

#include <algorithm>

#include "headlight/core/finite.h"
#include "headlight/system/file_error.h"
#include "headlight/train/safetensors.h"

namespace headlight::train {

Weights weights_of(const nn::Transformer& model) { return weights_of(nn::named_parameters(model)); }

Weights weights_of(const nn::NamedParameters& parameters) {
  Weights weights;
  for (const auto& [name, parameter] : parameters) weights.emplace(name, parameter.array());
  return weights;
}

std::string to_safetensors(const nn::Transformer& model) {
  const Weights weights = weights_of(model);
  NamedArrays arrays;
  for (const auto& [name, array] : weights) arrays.emplace_back(name, &array);
  return to_safetensors(arrays, {{"format", "headlight"}});
}

void check_weights(const nn::Transformer& model, const Weights& weights, const std::string& file) {
  check_weights(nn::named_parameters(model), weights, file);
}

void check_weights(const nn::NamedParameters& parameters, const Weights& weights, const std::string& file) {
  for (const auto& [name, parameter] : parameters) {
    const auto found = weights.find(name);
    check_file(found != weights.end(), "'{}' lacks '{}'.", file, name);
    check_file(found->second.shape() == parameter.shape(),
               "'{}' has '{}' of shape {}, but the model needs {}.", file, name, Shape(found->second.shape()),
               parameter.shape());
    check_file(all_finite(found->second), "'{}' has numbers in '{}' that are not finite.", file, name);
  }
  if (weights.size() == parameters.size()) return;
  for (const auto& weight : weights)
    check_file(std::any_of(parameters.begin(), parameters.end(),
                           [&](const auto& parameter) { return parameter.first == weight.first; }),
               "'{}' has '{}', which the model does not.", file, weight.first);
}

void set_weights(nn::Transformer& model, Weights weights, const std::string& file) {
  set_weights(nn::named_parameters(model), std::move(weights), file);
}

void set_weights(const nn::NamedParameters& parameters, Weights weights, const std::string& file) {
  check_weights(parameters, weights, file);
  for (const auto& [name, parameter] : parameters)
    Tensor(parameter).mutable_array() = std::move(weights.at(name));
}

}  // namespace headlight::train
