#include "headlight/nn/check_model.h"

#include "headlight/core/memory.h"
#include "headlight/core/setting_text.h"
#include "headlight/nn/layers.h"
#include "headlight/nn/model_size.h"

namespace headlight::nn {
namespace {

// Far above what trains, and far below what takes minutes to build.
constexpr std::size_t kMostLayers = 256;

}  // namespace

MultiHeadAttentionConfig self_attention_of(const TransformerConfig& c, bool predicts) {
  MultiHeadAttentionConfig a{.d_model = c.d_model,
                             .n_heads = c.n_heads,
                             .bias = c.bias,
                             .causal = predicts && c.architecture != Architecture::encoder,
                             .positions = c.positions,
                             .n_ctx = c.n_positions(),
                             .max_distance = c.max_distance,
                             .n_kv_heads = c.n_kv_heads,
                             .qk_norm = c.qk_norm,
                             .window = c.window,
                             .sinks = c.sinks,
                             .score_cap = c.score_cap,
                             .smeared_keys = c.smeared_keys,
                             .fused_qkv = c.fused_qkv};
  if (c.d_head > 0) a.d_head = c.d_head;
  return a;
}

MultiHeadAttentionConfig cross_attention_of(const TransformerConfig& c) {
  MultiHeadAttentionConfig a = self_attention_of(c, false);
  a.positions = "none";
  a.window = 0;
  a.smeared_keys = a.fused_qkv = false;
  return a;
}

void check_model(const TransformerConfig& c) {
  check_setting(c.n_layers > 0, "a transformer needs at least one layer, got {}.",
                setting_key("n_layers", 0));
  check_setting(c.n_layers <= kMostLayers, "{} is too large: a transformer has at most {} layers.",
                setting_key("n_layers", c.n_layers), kMostLayers);
  check_setting(c.d_vocab > 0, "the vocabulary needs at least one token, got {}.", setting_key("d_vocab", 0));
  check_setting(c.n_ctx > 0, "the context needs at least one position, got {}.", setting_key("n_ctx", 0));
  const bool reads_source = c.architecture == Architecture::encoder_decoder;
  check((c.n_source > 0) == reads_source, "an architecture of '{}' expects {}, got n_source = {}.",
        to_string(c.architecture), reads_source ? "a source of at least one position" : "no source",
        c.n_source);
  check(c.dropout >= 0 && c.dropout < 1, "dropout must be at least 0 and below 1, got {}.", c.dropout);
  const Positions& kind = positions().find(c.positions);
  for (const bool predicts : {true, c.architecture != Architecture::encoder_decoder}) {
    const MultiHeadAttentionConfig attention = filled_in(self_attention_of(c, predicts));
    if (kind.check) kind.check(position_sizes(attention));
  }
  check_setting(c.d_mlp > 0 || c.mlp == TransformerConfig().mlp,
                "the model has no MLPs ({}), so {} would do nothing. Hint: {} is often 4·{}.",
                setting_key("d_mlp", 0), setting_key("mlp", c.mlp), setting_key("d_mlp"),
                setting_key("d_model"));
  activations().find(c.mlp);
  check_setting(
      c.norm_place == NormPlace::pre || c.norm != NormKind::none,
      "norms after attention and MLPs need a kind of norm, but norm is 'none'. Hint: {} or rms, or {}.",
      setting_key("norm", "layer"), setting_key("norm_place", "pre"));
  check_setting(!c.fused_qkv || !kind.vectors || kind.place != Positions::Place::queries_and_keys,
                "{} computes queries, keys and values from one input, but positions '{}' give values another "
                "input. Hint: leave out one of the two.",
                setting_key("fused_qkv"), c.positions);
  require_memory(size_of_model(c).numbers() * sizeof(Real),
                 SettingText("a model of {} tokens, {} layers and {}", c.d_vocab, c.n_layers,
                             setting_key("d_model", c.d_model)),
                 SettingText("choose a smaller {}, {} or {}", setting_key("d_vocab"), setting_key("d_model"),
                             setting_key("d_mlp")));
}

}  // namespace headlight::nn
