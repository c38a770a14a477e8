// A struct is a module if it has a visit() that names its parameters, its hook points and its modules.
// Parameter lists, hooks, counts, saving and printing all use visit().
//
//   struct MLP {
//     Tensor W_in, W_out;
//     void visit(auto&& v) const { v("W_in", W_in), v("W_out", W_out), v("hook_post"); }
//   };
//
// A copy of a module shares its parameters, as a copy of a Tensor shares its node. clone() makes a module
// with its own parameters. A whole model (Transformer) can be moved and cloned, but not copied.
#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "headlight/autograd/tensor.h"
#include "headlight/core/rng.h"
#include "headlight/nn/hooks.h"

namespace headlight::nn {

class Visitor;
template <class M>
void visit_module(const M& module, const Visitor& visitor);

using NamedParameters = NamedTensors;

// Follows visit() down through the members and builds their full names: "blocks.0.attn.W_Q".
class Visitor {
 public:
  using Parameter = std::function<void(const std::string& name, const Tensor& parameter)>;
  using HookPoint = std::function<void(const std::string& name)>;

  Visitor(const Parameter& parameter, const HookPoint& hook_point, std::string prefix = "")
      : parameter_(parameter), hook_point_(hook_point), prefix_(std::move(prefix)) {}

  // A hook point: the name under which the forward pass offers an activation.
  void operator()(const std::string& name) const {
    if (hook_point_) hook_point_(prefix_ + name);
  }
  // A parameter; an undefined one (an unused bias) is skipped.
  void operator()(const std::string& name, const Tensor& parameter) const {
    if (parameter_ && parameter.defined()) parameter_(prefix_ + name, parameter);
  }
  template <class M>
  void operator()(const std::string& name, const M& module) const {
    visit_module(module, Visitor(parameter_, hook_point_, prefix_ + name + "."));
  }
  template <class M>
  void operator()(const std::string& name, const std::vector<M>& modules) const {
    for (std::size_t i = 0; i < modules.size(); ++i) (*this)(name + "." + std::to_string(i), modules[i]);
  }

 private:
  const Parameter& parameter_;
  const HookPoint& hook_point_;
  std::string prefix_;
};

template <class M>
inline constexpr bool is_module = requires(M& module, const Visitor& visitor) {
  module.visit(visitor);
};

// Calls the module's visit(), also when visit() is not const: it only names members.
template <class M>
void visit_module(const M& module, const Visitor& visitor) {
  static_assert(is_module<M>,
                "a module names Tensors, modules and std::vectors of them, as in `void visit(auto&& v) const "
                "{ v(\"W\", W), v(\"mlp\", mlp); }`");
  if constexpr (is_module<M>) const_cast<M&>(module).visit(visitor);
}

// Calls the two functions for each parameter and for each hook point.
template <class M>
void visit_members(const M& module, const Visitor::Parameter& parameter,
                   const Visitor::HookPoint& hook_point) {
  visit_module(module, Visitor(parameter, hook_point));
}

// Names and handles of the parameters; changing a parameter through its handle changes the module.
template <class M>
NamedParameters named_parameters(const M& module) {
  NamedParameters result;
  visit_members(module, [&](const std::string& name, const Tensor& p) { result.emplace_back(name, p); }, {});
  return result;
}

// Gives each parameter its full name, for messages and figures.
template <class M>
void name_parameters(const M& module) {
  for (auto& [name, parameter] : named_parameters(module)) parameter.set_name(name);
}

// The same without the names, for an optimizer.
template <class M>
std::vector<Tensor> parameters(const M& module) {
  std::vector<Tensor> result;
  for (auto& [name, parameter] : named_parameters(module)) result.push_back(parameter);
  return result;
}

// The names of all activations that hooks can read or replace.
template <class M>
std::vector<std::string> hook_names(const M& module) {
  std::vector<std::string> names;
  visit_members(module, {}, [&](const std::string& name) { names.push_back(name); });
  return names;
}

// The first call of a forward pass: throws Error for a hook on an activation that the module lacks.
template <class M>
void check_hooks(const M& module, const HooksAt& hooks) {
  if (hooks.outermost()) hooks.check_names(hook_names(module));
}

// The same module with its own parameters, so that changing one module does not change the other.
template <class M>
M clone(const M& module) {
  M copy = module;
  const auto renew = [](const std::string&, const Tensor& member) {
    Tensor& p = const_cast<Tensor&>(member);  // of `copy`, which may be changed
    const std::string name = p.name();
    Array numbers = p.array();
    p = p.requires_grad() ? parameter(std::move(numbers)) : Tensor(std::move(numbers));
    p.set_name(name);
  };
  visit_members(copy, renew, {});
  return copy;
}

// The total count of numbers in all parameters.
std::size_t parameter_count(const NamedParameters& parameters);

// A table to print: name, shape and count of each parameter, and the total.
std::string parameter_table(const NamedParameters& parameters);

// The same table of a module.
template <class M>
std::string summary(const M& module) {
  return parameter_table(named_parameters(module));
}

// std::cout << model prints the table.
template <class M>
requires is_module<M> std::ostream& operator<<(std::ostream& out, const M& module) {
  return out << summary(module);
}

// A parameter drawn from N(0, stddev²).
Tensor normal_parameter(const Shape& shape, double stddev, Rng& rng);

// A parameter of zeros, or an undefined tensor if `wanted` is false.
Tensor bias_parameter(bool wanted, std::size_t width);

}  // namespace headlight::nn
