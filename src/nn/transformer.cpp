#include "headlight/nn/transformer.h"

#include <array>
#include <cmath>

#include "headlight/ops/arithmetic.h"
#include "headlight/ops/rearrange.h"

namespace headlight::nn {
namespace {

constexpr std::array<std::pair<Positions, const char*>, 4> kPositionNames{
    {{Positions::rotary, "rotary"},
     {Positions::learned, "learned"},
     {Positions::learned_qk, "learned-qk"},
     {Positions::none, "none"}}};

const TransformerConfig& checked(const TransformerConfig& c) {
  check(c.n_layers > 0, "a transformer needs at least one layer, got n_layers = 0.");
  check(c.d_vocab > 0, "the vocabulary needs at least one token, got d_vocab = 0.");
  check(c.n_ctx > 0, "the context needs at least one position, got n_ctx = 0.");
  return c;
}

bool has_position_table(Positions p) { return p == Positions::learned || p == Positions::learned_qk; }

}  // namespace

std::string to_string(Positions positions) {
  for (const auto& [value, name] : kPositionNames)
    if (value == positions) return name;
  fail("unknown kind of positions.");
}

Positions positions_from(const std::string& name) {
  for (const auto& [value, known] : kPositionNames)
    if (name == known) return value;
  fail("unknown kind of positions '{}': expected rotary, learned, learned-qk or none.", name);
}

Block::Block(const TransformerConfig& config, Rng& rng)
    : ln1(config.d_model),
      attn({.d_model = config.d_model,
            .n_heads = config.n_heads,
            .d_head = config.d_head,
            .bias = config.bias,
            .causal = true,
            .rotary_positions = config.positions == Positions::rotary ? config.n_ctx : 0},
           rng) {
  if (config.d_mlp == 0) return;
  ln2.emplace(config.d_model);
  mlp.emplace(config.d_model, config.d_mlp, rng, config.bias);
}

Tensor Block::operator()(const Tensor& x, const Tensor& positions) const {
  const Tensor before = hook_resid_pre(x);
  const Tensor normalized = ln1(before);
  const Tensor placed = positions.defined() ? normalized + positions : normalized;
  Tensor after = before + hook_attn_out(attn(placed, placed, normalized));
  if (mlp) {
    const Tensor middle = hook_resid_mid(after);
    after = middle + hook_mlp_out((*mlp)((*ln2)(middle)));
  }
  return hook_resid_post(after);
}

Transformer::Transformer(const TransformerConfig& config, Rng& rng)
    : embed(checked(config).d_vocab, config.d_model, rng),
      ln_final(config.d_model),
      unembed(config.d_model, config.d_vocab, rng, false),
      config_(config) {
  if (has_position_table(config.positions))
    W_pos = normal_parameter({config.n_ctx, config.d_model},
                             1 / std::sqrt(static_cast<double>(config.d_model)), rng);
  blocks.reserve(config.n_layers);
  for (std::size_t i = 0; i < config.n_layers; ++i) blocks.emplace_back(config, rng);
  name_parameters(*this);
}

Tensor Transformer::operator()(const IntArray& tokens) const {
  check(tokens.dimension() == 2, "[transformer] expected tokens (batch, positions), got {} axes.",
        tokens.dimension());
  const std::size_t n = tokens.shape()[1];
  check(n >= 1 && n <= config_.n_ctx, "[transformer] a sequence of {} tokens does not fit the context of {}.",
        n, config_.n_ctx);
  for (std::int32_t token : tokens)
    check(token >= 0 && static_cast<std::size_t>(token) < config_.d_vocab,
          "[transformer] token {} is outside the vocabulary 0 … {}.", token, config_.d_vocab - 1);

  Tensor x = hook_embed(embed(tokens));  // (B,n,d_model)
  Tensor positions;
  if (W_pos.defined())
    positions = hook_pos_embed(n == config_.n_ctx ? W_pos : slice(W_pos, 0, 0, static_cast<int>(n)));
  const bool on_residual = config_.positions == Positions::learned;
  if (on_residual) x = x + positions;
  for (const Block& block : blocks) x = block(x, on_residual ? Tensor() : positions);
  return unembed(ln_final(x));  // (B,n,d_vocab)
}

}  // namespace headlight::nn
