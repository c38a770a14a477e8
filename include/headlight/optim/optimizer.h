// Optimizer: from gradients to the next parameters.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "headlight/autograd/tensor.h"
#include "headlight/core/registry.h"

namespace headlight::inline HEADLIGHT_PRECISION::optim {

// Settings of some of the parameters.
struct GroupSettings {
  double rate = 1;                          // times the learning rate
  std::optional<double> weight_decay = {};  // in place of the optimizer's
};

// What an optimizer remembers from step to step.
struct OptimizerState {
  std::int64_t steps = 0;
  std::map<std::string, std::vector<Array>> arrays;  // by name; one for each parameter
};

// Parameters, and what they have in common. Gradients come from the parameters' grad(), or from an
// array for each parameter. To write one of your own, override update().
class Optimizer {
 public:
  explicit Optimizer(std::vector<Tensor> parameters, double learning_rate, double weight_decay = 0);
  virtual ~Optimizer() = default;
  Optimizer(const Optimizer&) = delete;
  Optimizer& operator=(const Optimizer&) = delete;

  // One step down the gradients that backward() left. Throws Error for a parameter that has none.
  void step();

  // One step down the given gradients: for each parameter a pointer to as many numbers as it has.
  void step(const std::vector<const Real*>& gradients);

  void zero_grad();

  double learning_rate() const { return learning_rate_; }
  void set_learning_rate(double rate) { learning_rate_ = rate; }

  // Settings for these parameters instead of the common ones. Throws Error for a tensor that is none of the
  // optimizer's.
  void set_group(const std::vector<Tensor>& parameters, const GroupSettings& settings);

  const std::vector<Tensor>& parameters() const { return parameters_; }

  // A copy of what it remembers, and back: an optimizer that was given another's state takes the same steps.
  // Throws Error when names or shapes are not those of this optimizer.
  OptimizerState state() const;
  void set_state(OptimizerState state);

 protected:
  // Updates n numbers of parameter `index` in place; steps() is 1 in the first step.
  virtual void update(std::size_t index, Real* parameter, const Real* gradient, std::size_t n) = 0;

  // Arrays like the parameters that are kept from step to step and saved with a run, zero at the start. The
  // reference stays valid as long as the optimizer.
  std::vector<Array>& remember(const std::string& name);

  std::int64_t steps() const { return state_.steps; }
  double rate_of(std::size_t index) const { return learning_rate_ * groups_[index].rate; }
  double weight_decay_of(std::size_t index) const {
    return groups_[index].weight_decay.value_or(weight_decay_);
  }

 private:
  std::vector<Tensor> parameters_;
  std::vector<GroupSettings> groups_;  // of each parameter
  double learning_rate_, weight_decay_;
  OptimizerState state_;
};

// The settings of an optimizer. Each says what it makes of them.
struct OptimizerConfig {
  double learning_rate = 1e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double eps = 1e-8;
  double weight_decay = 0;
};

// Every optimizer that can be chosen by name. One of your own joins it with add().
using MakeOptimizer =
    std::function<std::unique_ptr<Optimizer>(std::vector<Tensor> parameters, const OptimizerConfig& config)>;
Registry<MakeOptimizer>& optimizers();

}  // namespace headlight::inline HEADLIGHT_PRECISION::optim
