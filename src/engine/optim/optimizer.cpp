#include "headlight/optim/optimizer.h"

#include <algorithm>
#include <unordered_set>

#include "checked.h"
#include "headlight/core/check.h"
#include "headlight/optim/adam.h"
#include "headlight/optim/lion.h"
#include "headlight/optim/muon.h"
#include "headlight/optim/sgd.h"

namespace headlight::optim {

Optimizer::Optimizer(std::vector<Tensor> parameters, double learning_rate, double weight_decay)
    : parameters_(std::move(parameters)),
      groups_(parameters_.size()),
      weight_decay_(checked_at_least_0("a weight decay", weight_decay)) {
  check(!parameters_.empty(), "an optimizer needs at least one parameter.");
  set_learning_rate(learning_rate);
  std::unordered_set<const Node*> seen;
  for (const Tensor& p : parameters_) {
    check(p.defined(), "[optimizer] expected parameters, got an undefined Tensor.");
    if (!p.is_leaf() || !p.requires_grad())
      fail("[optimizer] expected parameters, got {}{}. Hint: make it with parameter().", describe(p),
           p.is_leaf() ? ", which is a constant" : "");
    if (!seen.insert(p.node().get()).second)
      fail("[optimizer] expected each parameter once, got {} twice: a step would move it twice.",
           describe(p));
    sizes_.push_back(p.size());
  }
}

void Optimizer::set_learning_rate(double rate) {
  learning_rate_ = checked_at_least_0("a learning rate", rate);
}

void Optimizer::step() {
  std::vector<const Real*> gradients;
  for (const Tensor& p : parameters_) {
    if (!p.has_grad())
      fail("[step] {} has no gradient. Hint: call loss.backward() first.",
           p.name().empty() ? fmt::format("a parameter of shape {}", p.shape()) : describe(p));
    gradients.push_back(p.grad().array().data());
  }
  step(gradients);
}

void Optimizer::step(const std::vector<const Real*>& gradients) {
  check(gradients.size() == parameters_.size(), "[step] {} gradients for {} parameters.", gradients.size(),
        parameters_.size());
  for (std::size_t i = 0; i < parameters_.size(); ++i)
    if (parameters_[i].size() != sizes_[i])
      fail(
          "[step] {} had {} numbers when the optimizer was made. Hint: was an array of another "
          "shape assigned to mutable_array()?",
          describe(parameters_[i]), sizes_[i]);
  ++state_.steps;
  for (std::size_t i = 0; i < parameters_.size(); ++i)
    update(i, parameters_[i].mutable_array().data(), gradients[i], parameters_[i].size());
}

void Optimizer::zero_grad() {
  for (Tensor& p : parameters_) p.zero_grad();
}

void Optimizer::set_group(const std::vector<Tensor>& parameters, const GroupSettings& settings) {
  checked_at_least_0("a rate of a group", settings.rate);
  checked_at_least_0("a weight decay of a group", settings.weight_decay.value_or(0));
  for (const Tensor& p : parameters) {
    const auto found = std::find_if(parameters_.begin(), parameters_.end(),
                                    [&](const Tensor& known) { return same_node(known, p); });
    if (found == parameters_.end())
      fail("[set_group] {} is none of the optimizer's parameters.", describe(p));
    groups_[static_cast<std::size_t>(found - parameters_.begin())] = settings;
  }
}

std::vector<Array>& Optimizer::remember(const std::string& name) {
  std::vector<Array>& arrays = state_.arrays[name];
  for (const Tensor& p : parameters_) arrays.push_back(full_array(p.shape(), 0));
  return arrays;
}

OptimizerState Optimizer::state() const {
  OptimizerState state = state_;
  state.kind = kind();
  state.learning_rate = learning_rate_;
  return state;
}

void Optimizer::set_state(OptimizerState state) {
  check(state.kind.empty() || kind().empty() || state.kind == kind(),
        "[set_state] expected a state of {}, got one of {}.", kind(), state.kind);
  check(state.steps >= 0, "[set_state] an optimizer cannot have done {} steps.", state.steps);
  check(state.arrays.size() == state_.arrays.size(),
        "[set_state] the state has {} kinds of arrays, but this optimizer remembers {}.", state.arrays.size(),
        state_.arrays.size());
  for (auto& [name, mine] : state_.arrays) {
    const auto given = state.arrays.find(name);
    check(given != state.arrays.end() && given->second.size() == mine.size(),
          "[set_state] the state lacks '{}', one array for each of {} parameters.", name, mine.size());
    for (std::size_t i = 0; i < mine.size(); ++i)
      check(given->second[i].shape() == mine[i].shape(),
            "[set_state] '{}' of parameter {} has shape {}, expected {}.", name, i, given->second[i].shape(),
            mine[i].shape());
  }
  set_learning_rate(state.learning_rate.value_or(learning_rate_));
  for (auto& [name, mine] : state_.arrays) mine = std::move(state.arrays[name]);
  state_.steps = state.steps;
}

namespace {

std::unique_ptr<Optimizer> make_sgd(std::vector<Tensor> parameters, const OptimizerConfig& c, bool nesterov) {
  return std::make_unique<SGD>(std::move(parameters), SGDConfig{.learning_rate = c.learning_rate,
                                                                .momentum = c.beta1,
                                                                .weight_decay = c.weight_decay,
                                                                .nesterov = nesterov});
}

}  // namespace

Registry<MakeOptimizer>& optimizers() {
  static Registry<MakeOptimizer> all(
      "optimizer",
      {{"adamw", "Adam with the weight decay taken out of the gradient",
        [](auto p, const auto& c) { return std::make_unique<AdamW>(std::move(p), c); }, SettingKeys{"beta2"}},
       {"adam", "steps relative to running means of the gradient and of its square",
        [](auto p, const auto& c) { return std::make_unique<Adam>(std::move(p), c); }, SettingKeys{"beta2"}},
       {"sgd", "steps down the gradient, with momentum β₁",
        [](auto p, const auto& c) { return make_sgd(std::move(p), c, false); }, kNoSettings},
       {"nesterov", "sgd whose gradient looks one step ahead",
        [](auto p, const auto& c) { return make_sgd(std::move(p), c, true); }, kNoSettings},
       {"lion", "steps of one size, by the sign of the momentum; takes a small learning rate",
        [](auto p, const auto& c) {
          return std::make_unique<Lion>(std::move(p), LionConfig{.learning_rate = c.learning_rate,
                                                                 .beta1 = c.beta1,
                                                                 .beta2 = c.beta2,
                                                                 .weight_decay = c.weight_decay});
        },
        SettingKeys{"beta2"}},
       {"muon", "orthogonalised momentum β₁ for matrices, adamw for all else",
        [](auto p, const auto& c) { return std::make_unique<Muon>(std::move(p), c); },
        SettingKeys{"beta2"}}});
  return all;
}

std::size_t arrays_kept(const std::string& name) {
  return optimizers().find(name)({parameter(full_array({1}, 0))}, {})->state().arrays.size();
}

}  // namespace headlight::optim
