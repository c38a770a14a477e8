#include "headlight/train/weights.h"

#include <algorithm>

#include "headlight/core/check.h"
#include "headlight/core/finite.h"

namespace headlight::train {

Weights weights_of(const nn::Transformer& model) {
  Weights weights;
  for (const auto& [name, parameter] : nn::named_parameters(model)) weights.emplace(name, parameter.array());
  return weights;
}

void check_weights(const nn::Transformer& model, const Weights& weights, const std::string& file) {
  const nn::NamedParameters parameters = nn::named_parameters(model);
  for (const auto& [name, parameter] : parameters) {
    const auto found = weights.find(name);
    check(found != weights.end(), "'{}' lacks '{}'.", file, name);
    check(found->second.shape() == parameter.shape(),
          "'{}' has '{}' of shape {}, but the config's model needs {}.", file, name,
          Shape(found->second.shape()), parameter.shape());
    check(all_finite(found->second), "'{}' has numbers in '{}' that are not finite.", file, name);
  }
  if (weights.size() == parameters.size()) return;
  for (const auto& weight : weights)
    check(std::any_of(parameters.begin(), parameters.end(),
                      [&](const auto& parameter) { return parameter.first == weight.first; }),
          "'{}' has '{}', which the config's model does not.", file, weight.first);
}

void set_weights(nn::Transformer& model, Weights weights, const std::string& file) {
  check_weights(model, weights, file);
  for (auto& [name, parameter] : nn::named_parameters(model))
    Tensor(parameter).mutable_array() = std::move(weights.at(name));
}

}  // namespace headlight::train
