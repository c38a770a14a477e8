// The attention layers of a model, and what their heads are called.
#pragma once

#include <string>
#include <vector>

#include "headlight/core/registry.h"
#include "headlight/nn/transformer.h"

namespace headlight::interpret {

// Layers whose patterns have the same two axes.
enum class Stack {
  self,     // of the blocks that predict: (B,H,n,n)
  encoder,  // of an encoder–decoder's encoder: (B,H,m,m)
  cross,    // from an encoder–decoder's predictions to its source: (B,H,n,m)
};

// What a stack and its heads are called.
struct StackNames {
  const char* key;     // in files and flags: "cross"
  const char* letter;  // of "C1H0", where there is little room
  const char* of;      // what follows "layer 1, head 0" in sentences: " of cross-attention"
  const char* title;   // above its heads: "Cross-attention: …"
};
const StackNames& names_of(Stack stack);

// "self", "encoder", "cross".
const Registry<Stack>& stacks();

// One head of a model.
struct HeadAt {
  std::size_t layer = 0, head = 0;
  Stack stack = Stack::self;

  bool operator==(const HeadAt&) const = default;
};

using HeadSet = std::vector<HeadAt>;

// "L1H2" and "layer 1, head 2"; "C1H2" and "layer 1, head 2 of cross-attention".
std::string head_code(const HeadAt& head);
std::string head_words(const HeadAt& head);

struct AttentionLayer {
  Stack stack;
  std::size_t layer;
  std::string pattern;  // the hook point of its pattern: "blocks.1.attn.hook_pattern"
  bool causal;          // whether query i sees keys 0 … i only

  bool square() const { return stack != Stack::cross; }  // whether the keys are the queries' own sequence

  // Another hook point of the layer: hook("hook_z") is "blocks.1.attn.hook_z".
  std::string hook(const std::string& name) const;
};

// All of them: stack by stack, and layer by layer in each. Heads are listed in this order everywhere.
std::vector<AttentionLayer> attention_layers(const nn::TransformerConfig& config);

// Every head, in this order.
HeadSet all_heads(const nn::TransformerConfig& config);

// The layer of a head. Throws Error if the model has no such stack, layer or head.
AttentionLayer layer_of(const nn::TransformerConfig& config, const HeadAt& head);

}  // namespace headlight::interpret
