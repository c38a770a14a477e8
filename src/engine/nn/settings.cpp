#include "headlight/nn/settings.h"

#include <limits>

#include "headlight/ops/attention.h"

namespace headlight::nn {
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
          [registry](const SettingValue& name) {
            registry().find(std::get<std::string>(name));
            return "";
          },
          [registry] { return registry().names(); }};
}

std::string a_score_cap(const SettingValue& cap) {
  return is_score_cap(std::get<double>(cap))
             ? ""
             : fmt::format("{} … {}, or 0 for none", std::numeric_limits<Real>::min(),
                           std::numeric_limits<Real>::max());
}

}  // namespace

const std::vector<Setting<TransformerConfig>>& settings() {
  using C = TransformerConfig;
  static const std::vector<Setting<C>> rows{
      named("architecture", "--architecture", "Which tokens a token sees", &C::architecture, architectures),
      setting("n_layers", "--layers", "Layers", &C::n_layers, at_least(1)),
      setting("n_heads", "--heads", "Heads in each layer", &C::n_heads, at_least(1)),
      setting("n_kv_heads", "--kv-heads", "Heads of keys and values, shared by query heads; 0: as many",
              &C::n_kv_heads),
      setting("d_model", "--d-model", "Width of the residual stream", &C::d_model, at_least(1)),
      setting("d_head", "--d-head", "Width of a head; 0: d-model/heads", &C::d_head),
      setting("d_mlp", "--d-mlp", "Width of the MLPs; 0: attention only", &C::d_mlp),
      choice("positions", "--positions", "How the model knows the order of tokens", &C::positions, positions),
      setting("max_distance", "--max-distance", "Distance from which relative and t5 positions are alike",
              &C::max_distance),
      named("norm", "--norm", "Normalization of the residual stream", &C::norm, norms),
      named("norm_place", "--norm-place", "Normalize before attention and MLPs, or after", &C::norm_place,
            norm_places),
      named("qk_norm", "--qk-norm", "Normalization of each head's queries and keys", &C::qk_norm, norms),
      idle_when(
          setting("window", "--window", "Tokens that a query sees, itself included; 0: all", &C::window),
          [](const C& c) -> std::string {
            return c.window >= c.n_positions()
                       ? fmt::format("sequences have {} tokens, so a query sees all of them anyway",
                                     c.n_positions())
                       : "";
          }),
      setting("sinks", "--sinks", "A learned place without a value that heads may attend to", &C::sinks),
      setting("score_cap", "--score-cap", "Bound on the scores of attention; 0: none", &C::score_cap,
              a_score_cap),
      setting("smeared_keys", "--smeared-keys", "Each key takes a learned share of the key before it",
              &C::smeared_keys),
      setting("dropout", "--dropout", "Share of the pattern that is dropped in training", &C::dropout,
              from_to_below(0, 1)),
      setting("fused_qkv", "--fused-qkv", "One matrix for queries, keys and values: the same numbers, slower",
              &C::fused_qkv),
      idle_when(choice("mlp", "--mlp", "What an MLP computes between its matrices", &C::mlp, activations),
                [](const C& c) -> std::string { return c.d_mlp == 0 ? "the model has no MLPs" : ""; }),
      setting("bias", "--bias", "Biases in attention and MLPs", &C::bias),
      setting("tied_embeddings", "--tied", "The unembedding is the embedding transposed",
              &C::tied_embeddings)};
  return rows;
}

}  // namespace headlight::nn
