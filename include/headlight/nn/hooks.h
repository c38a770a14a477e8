// Hooks: a value that goes along with a forward pass and says which activations are read or replaced.
//
//   Hooks hooks{{"blocks.0.attn.hook_pattern", [](const Tensor& pattern) { return pattern * 0; }}};
//   const Tensor logits = model(tokens, hooks);
//
// The model does not change, so several threads may run one model with hooks of their own.
#pragma once

#include <functional>
#include <initializer_list>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "headlight/autograd/record.h"

namespace headlight::inline HEADLIGHT_PRECISION::nn {

// Sees the activation; returns what takes its place, or an undefined Tensor to leave it as it is.
using Hook = std::function<Tensor(const Tensor& activation)>;

// Hooks by the name of their activation, as in TransformerLens. `hook_names(module)` lists the names of a
// module; its forward pass throws Error for any other, with the nearest one.
//
// A hook changes the logits by what it changes in its activation, and by nothing else. Reading, and
// replacing an activation by the same numbers, leave every bit of the logits as it is. Some activations
// exist only on a slower path than the plain pass takes: scores, pattern, result, the inputs of each head,
// the norm's scale. Changing one of them takes that path, which also rounds differently: see baseline().
//
// Gradients flow through activations that hooks have seen or replaced. Where the two paths differ, they are
// those of the slower path, so they may differ from the plain pass in the last digits.
class Hooks {
 public:
  Hooks() = default;
  Hooks(std::initializer_list<std::pair<std::string, Hook>> hooks);

  // Hooks on one activation run in the order in which they were added, each on what the one before returned.
  Hooks& add(const std::string& name, Hook hook);

  // The same hooks, but each puts back what it was given, and the pass takes the path of a changed activation
  // all the same. The logits with these hooks minus those with baseline() is the effect of the change,
  // without the difference in rounding between the paths.
  Hooks baseline() const;

  bool empty() const { return hooks_.empty(); }
  std::vector<std::string> names() const;

 private:
  friend class HooksAt;
  std::map<std::string, std::vector<Hook>, std::less<>> hooks_;
  bool baseline_ = false;
};

// The hooks as one module sees them: those below a name such as "blocks.0.attn.". Modules take it by this
// type, callers pass Hooks, which must outlive the call. Without hooks below the name it is a null pointer,
// and nothing is allocated or looked up.
class HooksAt {
 public:
  HooksAt() = default;
  HooksAt(const Hooks& hooks) : hooks_(hooks.empty() ? nullptr : &hooks), baseline_(hooks.baseline_) {}

  HooksAt below(const char* module) const;
  HooksAt below(const char* modules, std::size_t index) const;

  bool any() const { return hooks_ != nullptr; }
  bool has(const char* name) const;

  // The activation after the hooks of this name; the same node when none of them replaces it.
  Tensor operator()(const char* name, const Tensor& activation) const;

  // Whether an activation was replaced by one with other bits (or, for a baseline, by any).
  bool changed(const Tensor& before, const Tensor& after) const;

  // Whether gradients must flow through activations that hooks only read.
  bool gradients_of_read() const { return recording() && !baseline_; }

  // The result of a step with two paths: `plain`, or `slow()` when a hook has changed something on it.
  // When nothing was changed it has the bits of `plain`, and the gradients of `slow()` if they are recorded.
  template <class Slow>
  Tensor choose(const Tensor& plain, bool any_changed, Slow slow) const {
    if (any_changed) return slow();
    return gradients_of_read() ? with_bits_of(plain, slow()) : plain;
  }

  // Throws Error for a hook on something else than `names`. Does nothing inside a module of a module.
  bool outermost() const { return hooks_ != nullptr && prefix_.empty(); }
  void check_names(const std::vector<std::string>& names) const;

 private:
  static Tensor with_bits_of(const Tensor& plain, const Tensor& slow);

  const Hooks* hooks_ = nullptr;
  bool baseline_ = false;
  std::string prefix_;
};

}  // namespace headlight::inline HEADLIGHT_PRECISION::nn
