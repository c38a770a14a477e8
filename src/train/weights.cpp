#include "headlight/train/weights.h"

#include "headlight/core/check.h"
#include "headlight/core/finite.h"

namespace headlight::train {

Weights weights_of(const nn::Transformer& model) {
  Weights weights;
  for (const auto& [name, parameter] : nn::named_parameters(model)) weights.emplace(name, parameter.array());
  return weights;
}

void set_weights(nn::Transformer& model, Weights weights, const std::string& file) {
  for (auto& [name, parameter] : nn::named_parameters(model)) {
    const auto found = weights.find(name);
    check(found != weights.end(), "'{}' lacks '{}'.", file, name);
    check(found->second.shape() == parameter.shape(),
          "'{}' has '{}' of shape {}, but the config's model needs {}.", file, name,
          Shape(found->second.shape()), parameter.shape());
    check(all_finite(found->second), "'{}' has numbers in '{}' that are not finite.", file, name);
    Tensor(parameter).mutable_array() = std::move(found->second);
    weights.erase(found);
  }
  check(weights.empty(), "'{}' has '{}', which the config's model does not.", file,
        weights.empty() ? "" : weights.begin()->first);
}

}  // namespace headlight::train
