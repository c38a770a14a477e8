// What makes a struct a module: a visit() that names its members. Parameters, hook points, counts, saving
// and printing all come from it.
//
//   struct Linear {
//     Tensor W, b;
//     void visit(auto&& v) { v("W", W), v("b", b); }
//   };
//
// A copy of a module shares its parameters, as a copy of a Tensor shares its node.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "headlight/autograd/tensor.h"
#include "headlight/nn/hook_point.h"

namespace headlight::nn {

using NamedParameters = NamedTensors;
using NamedHookPoints = std::vector<std::pair<std::string, HookPoint*>>;

// Follows visit() down through the members and builds their full names: "blocks.0.attn.W_Q".
class Visitor {
 public:
  Visitor(NamedParameters* parameters, NamedHookPoints* hook_points, std::string prefix = "")
      : parameters_(parameters), hook_points_(hook_points), prefix_(std::move(prefix)) {}

  // A parameter; an undefined one (a bias that was not asked for) is passed over.
  void operator()(const std::string& name, Tensor& parameter) const {
    if (parameters_ != nullptr && parameter.defined()) parameters_->emplace_back(prefix_ + name, parameter);
  }
  void operator()(const std::string& name, HookPoint& hook_point) const {
    if (hook_points_ != nullptr) hook_points_->emplace_back(prefix_ + name, &hook_point);
  }
  template <class M>
  void operator()(const std::string& name, M& module) const {
    module.visit(Visitor(parameters_, hook_points_, prefix_ + name + "."));
  }
  template <class M>
  void operator()(const std::string& name, std::vector<M>& modules) const {
    for (std::size_t i = 0; i < modules.size(); ++i) (*this)(name + "." + std::to_string(i), modules[i]);
  }

 private:
  NamedParameters* parameters_;
  NamedHookPoints* hook_points_;
  std::string prefix_;
};

// Names and handles; changing what a handle names changes the module.
template <class M>
NamedParameters named_parameters(M& module) {
  NamedParameters result;
  module.visit(Visitor(&result, nullptr));
  return result;
}

// Gives each parameter its full name, for messages and drawings.
template <class M>
void name_parameters(M& module) {
  for (auto& [name, parameter] : named_parameters(module)) parameter.set_name(name);
}

template <class M>
std::vector<Tensor> parameters(M& module) {
  std::vector<Tensor> result;
  for (auto& [name, parameter] : named_parameters(module)) result.push_back(parameter);
  return result;
}

template <class M>
NamedHookPoints hook_points(M& module) {
  NamedHookPoints result;
  module.visit(Visitor(nullptr, &result));
  return result;
}

// Numbers in all parameters together.
std::size_t parameter_count(const NamedParameters& parameters);

// A table for people: name, shape, count, and the total.
std::string parameter_table(const NamedParameters& parameters);

template <class M>
std::string summary(M& module) {
  return parameter_table(named_parameters(module));
}

// A parameter drawn from N(0, stddev²).
Tensor normal_parameter(const Shape& shape, double stddev, Rng& rng);

// A parameter of zeros, or undefined where none is wanted.
Tensor bias_parameter(bool wanted, std::size_t width);

}  // namespace headlight::nn
