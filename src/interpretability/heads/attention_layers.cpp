#include "headlight/interpret/attention_layers.h"

#include <fmt/core.h>

#include <algorithm>

#include "headlight/core/check.h"

namespace headlight::interpret {

using nn::Architecture;

const StackNames& names_of(Stack stack) {
  static const StackNames self{"self", "L", "", "Decoder: from the tokens to themselves"},
      encoder{"encoder", "E", " of the encoder", "Encoder: from the source to itself"},
      cross{"cross", "C", " of cross-attention", "Cross-attention: from the tokens to the source"};
  return stack == Stack::self ? self : stack == Stack::encoder ? encoder : cross;
}

const Registry<Stack>& stacks() {
  static const Registry<Stack> all(
      "stack of attention layers",
      {{names_of(Stack::self).key, "the blocks that predict, each token on the tokens", Stack::self},
       {names_of(Stack::encoder).key, "the blocks of the encoder, on the source", Stack::encoder},
       {names_of(Stack::cross).key, "the blocks that predict, each token on the source", Stack::cross}});
  return all;
}

std::string head_code(const HeadAt& at) {
  return fmt::format("{}{}H{}", names_of(at.stack).letter, at.layer, at.head);
}

std::string head_words(const HeadAt& at) {
  return fmt::format("layer {}, head {}{}", at.layer, at.head, names_of(at.stack).of);
}

std::vector<AttentionLayer> attention_layers(const nn::TransformerConfig& c) {
  std::vector<AttentionLayer> all;
  const auto add = [&](Stack stack, const char* blocks, const char* attention, bool causal) {
    for (std::size_t i = 0; i < c.n_layers; ++i)
      all.push_back({stack, i, fmt::format("{}.{}.{}.hook_pattern", blocks, i, attention), causal});
  };
  add(Stack::self, "blocks", "attn", c.architecture != Architecture::encoder);
  if (c.architecture == Architecture::encoder_decoder) {
    add(Stack::encoder, "encoder", "attn", false);
    add(Stack::cross, "blocks", "cross_attn", false);
  }
  return all;
}

HeadSet all_heads(const nn::TransformerConfig& c) {
  HeadSet heads;
  for (const AttentionLayer& layer : attention_layers(c))
    for (std::size_t h = 0; h < c.n_heads; ++h) heads.push_back({layer.layer, h, layer.stack});
  return heads;
}

std::string AttentionLayer::hook(const std::string& name) const {
  return pattern.substr(0, pattern.rfind("hook_pattern")) + name;
}

AttentionLayer layer_of(const nn::TransformerConfig& c, const HeadAt& at) {
  const bool single = c.architecture != Architecture::encoder_decoder;
  check(at.stack == Stack::self || !single,
        "there are no heads{}: the model's architecture is '{}'. Hint: an encoder-decoder has them.",
        names_of(at.stack).of, to_string(c.architecture));
  check(at.layer < c.n_layers, "there is no layer {}: the model has layers 0 … {}.", at.layer,
        c.n_layers - 1);
  check(at.head < c.n_heads, "there is no head {}: each layer has heads 0 … {}.", at.head, c.n_heads - 1);
  for (const AttentionLayer& layer : attention_layers(c))
    if (layer.stack == at.stack && layer.layer == at.layer) return layer;
  fail("the model has no {}.", head_words(at));
}

}  // namespace headlight::interpret
