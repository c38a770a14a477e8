// Hooks: an argument of a forward pass that says which activations are read or replaced.
//
//   Hooks hooks{{"blocks.0.attn.hook_pattern", [](const Tensor& pattern) { return pattern * 0; }}};
//   const Tensor logits = model(tokens, hooks);
//
// The model does not change, so several threads may run one model with different hooks.
#pragma once

#include <deque>
#include <functional>
#include <initializer_list>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "headlight/autograd/record.h"

namespace headlight::nn {

// Gets the activation. Returns its replacement, or an undefined Tensor to leave the activation as it is.
using Hook = std::function<Tensor(const Tensor& activation)>;

// Hooks by the name of their activation, as in TransformerLens. `hook_names(module)` lists the names of a
// module; its forward pass throws Error for any other name and suggests the nearest one.
//
// A hook changes the logits only by what it changes in its activation. Reading an activation, or replacing it
// by the same numbers, changes no bit of the logits. Some activations exist only on a slower path: scores,
// pattern, result, the inputs of each head, the norm's scale. A pass that changes one of them takes the
// slower path, which also rounds differently.
//
// Gradients flow through activations that hooks have seen or replaced. Where the two paths differ, gradients
// take the slower path, so they may differ from the plain pass in the last digits.
class Hooks {
 public:
  Hooks() = default;
  Hooks(std::initializer_list<std::pair<std::string, Hook>> hooks);

  // Hooks on one activation run in the order in which they were added, each on what the one before returned.
  // One that a hook adds to its own activation runs from the next pass on.
  Hooks& add(const std::string& name, Hook hook);
  Hooks& add(const Hooks& others);

  bool empty() const { return hooks_.empty(); }
  std::vector<std::string> names() const;

 private:
  friend class HooksAt;
  std::map<std::string, std::deque<Hook>, std::less<>> hooks_;  // a hook that adds one moves no other
};

// The hooks of one module: those below a name such as "blocks.0.attn.". Modules have a parameter of this
// type; callers pass Hooks, which must outlive the call. Without hooks below the name it holds a null
// pointer, and nothing is allocated or looked up.
class HooksAt {
 public:
  HooksAt() = default;
  HooksAt(const Hooks& hooks) : hooks_(hooks.empty() ? nullptr : &hooks) {}

  HooksAt below(const char* module) const;
  HooksAt below(const char* modules, std::size_t index) const;

  bool any() const { return hooks_ != nullptr; }
  bool has(const char* name) const;

  // The activation after the hooks of this name; the same node if no hook replaces it.
  Tensor operator()(const char* name, const Tensor& activation) const;

  // Whether an activation was replaced by different bits.
  static bool changed(const Tensor& before, const Tensor& after);

  // The result of a step with two paths: `slow()` if a hook has changed an activation of the slower path,
  // else `plain`. Without a change it has the bits of `plain`, and the gradients of `slow()` if these are
  // recorded.
  template <class Slow>
  Tensor choose(const Tensor& plain, bool any_changed, Slow slow) const {
    if (any_changed) return slow();
    return recording() ? with_bits_of(plain, slow()) : plain;
  }

  // Throws Error for a hook whose name is not in `names`. Does nothing inside a module of a module.
  bool outermost() const { return hooks_ != nullptr && prefix_.empty(); }
  void check_names(const std::vector<std::string>& names) const;

 private:
  static Tensor with_bits_of(const Tensor& plain, const Tensor& slow);

  const Hooks* hooks_ = nullptr;
  std::string prefix_;
};

}  // namespace headlight::nn
