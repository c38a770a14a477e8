#include "headlight/nn/settings.h"

namespace headlight::inline HEADLIGHT_PRECISION::nn {
namespace {

// A row for a value out of a registry.
template <class Value>
Setting<TransformerConfig> named(std::string key, std::string flag, std::string help,
                                 Value TransformerConfig::*member, const Registry<Value>& (*registry)()) {
  return {std::move(key),
          std::move(flag),
          std::move(help),
          [member](const TransformerConfig& c) { return SettingValue(to_string(c.*member)); },
          [member, registry](TransformerConfig& c, const SettingValue& name) {
            c.*member = registry().find(std::get<std::string>(name));
          },
          [registry](const SettingValue& name) { registry().find(std::get<std::string>(name)); },
          [registry] { return registry().names(); }};
}

}  // namespace

const std::vector<Setting<TransformerConfig>>& settings() {
  using C = TransformerConfig;
  static const std::vector<Setting<C>> rows{
      setting("n_layers", "--layers", "Layers", &C::n_layers, at_least(1)),
      setting("n_heads", "--heads", "Heads in each layer", &C::n_heads, at_least(1)),
      setting("d_model", "--d-model", "Width of the residual stream", &C::d_model, at_least(1)),
      setting("d_head", "--d-head", "Width of a head; 0: d-model/heads", &C::d_head),
      setting("d_mlp", "--d-mlp", "Width of the MLPs; 0: attention only", &C::d_mlp),
      named("positions", "--positions", "How the model knows the order of tokens", &C::positions, positions),
      named("norm", "--norm", "Normalization before each block and the unembedding", &C::norm, norms),
      setting("bias", "--bias", "Biases in attention and MLPs", &C::bias)};
  return rows;
}

}  // namespace headlight::inline HEADLIGHT_PRECISION::nn
