#include "headlight/nn/transformer.h"

#include "headlight/nn/check_model.h"
#include "headlight/ops/arithmetic.h"
#include "headlight/ops/matmul.h"
#include "headlight/ops/rearrange.h"

namespace headlight::nn {
namespace {

const TransformerConfig& checked(const TransformerConfig& c) {
  check_model(c);
  return c;
}

// The options of attention in layer i of a stack, "layer" or "encoder". Each layer drops other places.
AttentionOptions options_of_layer(const char* stack, std::size_t i, const Given& given, double dropout) {
  if (!given.dropout_seed) return {};
  return {.dropout = dropout, .dropout_seed = Rng(*given.dropout_seed).stream(stack, i).next()};
}

bool has_source(const Given& given) { return given.source.dimension() > 0 && given.source.size() > 0; }

// Post-norm blocks end with a norm of their own.
NormKind final_norm_of(const TransformerConfig& c) {
  return c.norm_place == NormPlace::pre ? c.norm : NormKind::none;
}

}  // namespace

Transformer::Transformer(const TransformerConfig& config, Rng& rng)
    : embed(checked(config).d_vocab, config.d_model, rng),
      ln_final(config.d_model, final_norm_of(config)),
      unembed(config.tied_embeddings ? Linear() : Linear(config.d_model, config.d_vocab, rng, false)),
      config_(config),
      positions_(positions().find(config.positions)) {
  if (positions_.vectors)
    W_pos = positions_.vectors({.n_ctx = config.n_positions(), .d_model = config.d_model}, rng);
  blocks.reserve(config.n_layers);
  for (std::size_t i = 0; i < config.n_layers; ++i) blocks.emplace_back(config, rng);
  if (config.architecture == Architecture::encoder_decoder) {
    encoder.reserve(config.n_layers);
    for (std::size_t i = 0; i < config.n_layers; ++i) encoder.emplace_back(config, rng, Block::Role::encodes);
    encoder_ln_final.emplace(config.d_model, final_norm_of(config));
  }
  name_parameters(*this);
}

// Embeds the tokens of one of the two sequences, "tokens" or "source tokens", which follow `first` others.
Transformer::Read Transformer::read(const char* what, const IntArray& tokens, std::size_t first,
                                    std::size_t longest, const HooksAt& hooks, const char* hook_embed,
                                    const char* hook_pos_embed) const {
  check(tokens.dimension() == 2,
        "[transformer] expected {} (batch, positions), got {} axes. Hint: one sequence is IntArray{{{{1, 2, "
        "3}}}}.",
        what, tokens.dimension());
  const std::size_t n = tokens.shape()[1];
  check(n >= 1 && first + n <= longest, "[transformer] a sequence of {} {} does not fit the context of {}.",
        first + n, what, longest);
  for (std::int32_t token : tokens)
    check(token >= 0 && static_cast<std::size_t>(token) < config_.d_vocab,
          "[transformer] token {} is outside the vocabulary 0 … {}.", token, config_.d_vocab - 1);

  const Tensor embedded = hooks(hook_embed, embed(tokens));  // (B,n,d_model)
  if (!W_pos.defined()) return {embedded, {}};
  const Tensor positions = hooks(
      hook_pos_embed,
      n == W_pos.length(0) ? W_pos : slice(W_pos, 0, static_cast<int>(first), static_cast<int>(first + n)));
  if (positions_.place == Positions::Place::embedding) return {embedded + positions, {}};
  return {embedded, positions};
}

// What the decoder's cross-attention attends to (B,m,d_model); undefined for a model of one stack.
Tensor Transformer::memory_of(const Given& given, std::size_t batch, const HooksAt& hooks) const {
  const bool given_one = has_source(given);
  if (!encoder_ln_final) {
    check(!given_one,
          "[transformer] expected no source, because the model is no encoder–decoder, got one of shape {}. "
          "Hint: architecture = encoder-decoder reads one.",
          Shape(given.source.shape().begin(), given.source.shape().end()));
    return {};
  }
  check(given_one,
        "[transformer] expected a source (batch, positions) for the encoder, got none. Hint: model(tokens, "
        "{{}}, {{.source = source}}).");
  auto [x, positions] = read("source tokens", given.source, 0, config_.n_source, hooks, "hook_source_embed",
                             "hook_source_pos_embed");
  check(x.length(0) == batch, "[transformer] expected a source for each of {} sequences, got {}.", batch,
        x.length(0));
  for (std::size_t i = 0; i < encoder.size(); ++i)
    x = encoder[i](x, positions, hooks.below("encoder", i),
                   options_of_layer("encoder", i, given, config_.dropout));
  return (*encoder_ln_final)(x, hooks.below("encoder_ln_final"));
}

Tensor Transformer::operator()(const IntArray& tokens, const HooksAt& hooks, const Given& given) const {
  check_hooks(*this, hooks);
  KeyValueCache* cache = given.cache;
  check(cache == nullptr || config_.architecture != Architecture::encoder,
        "[transformer] an encoder cannot keep keys and values: each later token changes them.");
  KeyValueCache next;  // becomes the cache at the end, because a pass may throw: in a hook, for one
  if (cache != nullptr) {
    next = *cache;
    next.layers.resize(blocks.size());
  }
  auto [x, positions] =
      read("tokens", tokens, next.length(), config_.n_ctx, hooks, "hook_embed", "hook_pos_embed");
  if (!next.memory.defined()) {
    next.memory = memory_of(given, x.length(0), hooks);
    next.source = given.source;
  } else {
    check(!has_source(given) || given.source == next.source,
          "[transformer] expected the source that the cache was filled with, or none, got another one. Hint: "
          "a new source needs a new cache.");
  }
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    x = blocks[i](x, positions, hooks.below("blocks", i),
                  options_of_layer("layer", i, given, config_.dropout), next.memory,
                  cache != nullptr ? &next.layers[i] : nullptr);
  }
  const Tensor logits = logits_of(x, hooks.below("ln_final"));
  if (cache != nullptr) *cache = std::move(next);
  return logits;
}

Tensor Transformer::logits_of(const Tensor& x, const HooksAt& of_norm) const {
  const Tensor normalized = ln_final(x, of_norm);
  return config_.tied_embeddings ? matmul(normalized, embed.W, {.transpose_y = true}) : unembed(normalized);
}

}  // namespace headlight::nn
