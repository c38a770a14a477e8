#include "headlight/nn/model_size.h"

#include "headlight/nn/check_model.h"
#include "headlight/nn/layers.h"

namespace headlight::nn {
namespace {

double widths(std::size_t n, std::size_t width) {
  return static_cast<double>(n) * static_cast<double>(width);
}

// Of one attention, with the tables of its positions.
ModelSize of_attention(const MultiHeadAttentionConfig& a) {
  const double d = static_cast<double>(a.d_model), queries = widths(a.n_heads, *a.d_head),
               keys = widths(a.n_kv_heads, *a.d_head), memory = static_cast<double>(*a.d_memory);
  return {.parameters = 2 * d * queries + 2 * memory * keys,
          .positions = widths(a.n_ctx, *a.d_head + a.n_heads),
          .token = 3 * d + 4 * queries + 3 * keys};
}

ModelSize of_mlp(const TransformerConfig& c) {
  const bool gated = activations().find(c.mlp).gated;
  const double d = static_cast<double>(c.d_model), wide = static_cast<double>(c.d_mlp);
  return {.parameters = (gated ? 3 : 2) * d * wide, .token = wide > 0 ? 3 * d + (gated ? 5 : 3) * wide : 0};
}

}  // namespace

ModelSize size_of_model(const TransformerConfig& c) {
  const ModelSize self = of_attention(filled_in(self_attention_of(c))), mlp = of_mlp(c);
  const double layers = static_cast<double>(c.n_layers), d = static_cast<double>(c.d_model),
               vocabulary = static_cast<double>(c.d_vocab), positions = static_cast<double>(c.n_positions());
  ModelSize all{.parameters = vocabulary * d * (c.tied_embeddings ? 1 : 2) +
                              layers * (self.parameters + mlp.parameters + 4 * d),
                .positions = positions * d + layers * self.positions,
                .token = 4 * d + 3 * vocabulary + layers * (self.token + mlp.token)};
  if (c.architecture != Architecture::encoder_decoder) return all;
  const ModelSize cross = of_attention(filled_in(cross_attention_of(c)));
  all.parameters += layers * (self.parameters + mlp.parameters + cross.parameters + 6 * d);
  all.positions += layers * (self.positions + cross.positions);
  all.token += layers * (self.token + mlp.token + 2 * cross.token);
  return all;
}

}  // namespace headlight::nn
