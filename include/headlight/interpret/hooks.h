// Hooks by name: read activations, or replace them, for as long as a scope lasts.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "headlight/nn/transformer.h"

namespace headlight::interpret {

// Hooks that are removed when the scope ends, also when it ends by an exception.
//   HookScope hooks(model);
//   hooks.add("blocks.0.attn.hook_pattern", [](const Tensor& pattern) { return pattern * 0; });
class HookScope {
 public:
  explicit HookScope(nn::Transformer& model) : points_(nn::hook_points(model)) {}
  ~HookScope();
  HookScope(const HookScope&) = delete;
  HookScope& operator=(const HookScope&) = delete;

  // Throws Error for a name that the model does not have, with the nearest that it has.
  void add(const std::string& name, nn::Hook hook);

  const nn::NamedHookPoints& points() const { return points_; }

 private:
  nn::NamedHookPoints points_;
  std::vector<std::pair<nn::HookPoint*, int>> added_;
};

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

// Runs the model without recording gradients and keeps what passes the hook points for which `wanted` is
// true (all of them when it is left out). Only what is wanted is computed and kept: without
// hook_pattern no pattern is.
CachedRun run_with_cache(nn::Transformer& model, const IntArray& tokens,
                         const std::function<bool(const std::string&)>& wanted = {});

// "blocks.<layer>.attn.hook_pattern"
std::string pattern_name(std::size_t layer);

}  // namespace headlight::interpret
