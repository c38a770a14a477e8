// Reads activations of a forward pass by name, or replaces them. The model does not change.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "headlight/interpret/attention_layers.h"

namespace headlight::interpret {

// Activations by name. They are copies: the model cannot change them, and reading changes nothing.
class ActivationCache {
 public:
  // Throws Error for a name that is not in the cache.
  const Array& operator[](const std::string& name) const;

  bool contains(const std::string& name) const { return activations_.contains(name); }
  std::vector<std::string> names() const;
  void put(const std::string& name, Array activation) {
    activations_.insert_or_assign(name, std::move(activation));
  }

 private:
  std::map<std::string, Array> activations_;
};

struct CachedRun {
  Array logits;  // (B,n,d_vocab)
  ActivationCache cache;
};

// Which activations are wanted, by name.
using WantedHooks = std::function<bool(const std::string&)>;

// Those whose name ends so: hooks_named("attn.hook_pattern") are the patterns of all layers and stacks.
WantedHooks hooks_named(std::string end);

// Runs the model without recording gradients and keeps the activations for which `wanted` is true (all if it
// is left out). Other activations are not kept, and patterns are computed only if hook_pattern is wanted.
// Reading changes no bit of the logits. With `interventions` the cache holds the replaced activations.
CachedRun run_with_cache(const nn::Transformer& model, const IntArray& tokens, const WantedHooks& wanted = {},
                         nn::Hooks interventions = {}, const nn::Given& given = {});

// The logits (B,n,d_vocab) with activations replaced. Gradients are recorded as in model(tokens).
//   run_with_hooks(model, tokens, {{"blocks.0.hook_attn_out", [](const Tensor& x) { return x * 0; }}});
Tensor run_with_hooks(const nn::Transformer& model, const IntArray& tokens, const nn::Hooks& interventions,
                      const nn::Given& given = {});

// "blocks.<layer>.attn.hook_pattern"
std::string pattern_name(std::size_t layer);

}  // namespace headlight::interpret
