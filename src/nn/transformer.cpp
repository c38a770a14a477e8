#include "headlight/nn/transformer.h"

#include <cmath>

#include "headlight/ops/arithmetic.h"
#include "headlight/ops/rearrange.h"

namespace headlight::inline HEADLIGHT_PRECISION::nn {
namespace {

const TransformerConfig& checked(const TransformerConfig& c) {
  check(c.n_layers > 0, "a transformer needs at least one layer, got n_layers = 0.");
  check(c.d_vocab > 0, "the vocabulary needs at least one token, got d_vocab = 0.");
  check(c.n_ctx > 0, "the context needs at least one position, got n_ctx = 0.");
  return c;
}

bool has_position_table(Positions p) { return p == Positions::learned || p == Positions::learned_qk; }

}  // namespace

Transformer::Transformer(const TransformerConfig& config, Rng& rng)
    : embed(checked(config).d_vocab, config.d_model, rng),
      ln_final(config.d_model, config.norm),
      unembed(config.d_model, config.d_vocab, rng, false),
      config_(config) {
  if (has_position_table(config.positions))
    W_pos = normal_parameter({config.n_ctx, config.d_model},
                             1 / std::sqrt(static_cast<double>(config.d_model)), rng);
  blocks.reserve(config.n_layers);
  for (std::size_t i = 0; i < config.n_layers; ++i) blocks.emplace_back(config, rng);
  name_parameters(*this);
}

Tensor Transformer::operator()(const IntArray& tokens, const HooksAt& hooks) const {
  check_hooks(*this, hooks);
  check(tokens.dimension() == 2,
        "[transformer] expected tokens (batch, positions), got {} axes. Hint: one sequence is IntArray{{{{1, "
        "2, 3}}}}.",
        tokens.dimension());
  const std::size_t n = tokens.shape()[1];
  check(n >= 1 && n <= config_.n_ctx, "[transformer] a sequence of {} tokens does not fit the context of {}.",
        n, config_.n_ctx);
  for (std::int32_t token : tokens)
    check(token >= 0 && static_cast<std::size_t>(token) < config_.d_vocab,
          "[transformer] token {} is outside the vocabulary 0 … {}.", token, config_.d_vocab - 1);

  Tensor x = hooks("hook_embed", embed(tokens));  // (B,n,d_model)
  Tensor positions;
  if (W_pos.defined())
    positions = hooks("hook_pos_embed", n == config_.n_ctx ? W_pos : slice(W_pos, 0, 0, static_cast<int>(n)));
  const bool on_residual = config_.positions == Positions::learned;
  if (on_residual) x = x + positions;
  for (std::size_t i = 0; i < blocks.size(); ++i)
    x = blocks[i](x, on_residual ? Tensor() : positions, hooks.below("blocks", i));
  return unembed(ln_final(x, hooks.below("ln_final")));  // (B,n,d_vocab)
}

}  // namespace headlight::inline HEADLIGHT_PRECISION::nn
