#include "headlight/nn/settings.h"

namespace headlight::nn {
namespace {

Setting<TransformerConfig> positions_row() {
  return {"positions",
          "--positions",
          "How the model knows the order of tokens",
          [](const TransformerConfig& c) { return SettingValue(to_string(c.positions)); },
          [](TransformerConfig& c, const SettingValue& name) {
            c.positions = positions_from(std::get<std::string>(name));
          },
          [](const SettingValue& name) { positions_from(std::get<std::string>(name)); },
          [] {
            return std::vector<std::string>{"rotary", "learned", "learned-qk", "none"};
          }};
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
      positions_row(),
      setting("bias", "--bias", "Biases in attention and MLPs", &C::bias)};
  return rows;
}

}  // namespace headlight::nn
