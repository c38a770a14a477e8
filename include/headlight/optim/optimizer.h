// Optimizer: changes parameters according to their gradients.
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

namespace headlight::optim {

// Settings of some of the parameters.
struct GroupSettings {
  bool matrix = true;  // whether Muon may take a parameter of two axes for a matrix: not for a table
  double rate = 1;     // times the optimizer's learning rate
  std::optional<double> weight_decay = {};  // instead of the optimizer's: often 0 for biases and norms
};

// What an optimizer keeps from step to step.
struct OptimizerState {
  std::int64_t steps = 0;
  std::map<std::string, std::vector<Array>> arrays;  // by name; one for each parameter
  std::string kind = {};                             // Optimizer::kind(); empty: not known
  std::optional<double> learning_rate = {};
};

// Parameters and their common settings. Gradients come from the parameters' grad(), or from one array per
// parameter. To write your own optimizer, override update().
class Optimizer {
 public:
  // Throws Error for no parameters, one that is given twice, and a tensor that is not a parameter, and for a
  // rate or a decay that is negative or not finite.
  explicit Optimizer(std::vector<Tensor> parameters, double learning_rate, double weight_decay = 0);
  virtual ~Optimizer() = default;
  Optimizer(const Optimizer&) = delete;
  Optimizer& operator=(const Optimizer&) = delete;

  // One step with the gradients in grad(). Throws Error for a parameter without a gradient.
  void step();

  // One step with the given gradients: for each parameter a pointer to as many numbers as it has.
  void step(const std::vector<const Real*>& gradients);

  void zero_grad();

  // The name in messages, by which set_state tells the state of another kind: "AdamW". That of an optimizer
  // of your own is empty unless it overrides this.
  virtual std::string kind() const { return ""; }

  double learning_rate() const { return learning_rate_; }
  void set_learning_rate(double rate);  // throws Error for a negative one, an infinity or a NaN

  // Settings for these parameters. Throws Error for a tensor that is not a parameter of this optimizer, and
  // for a rate or a decay that is negative or not finite.
  void set_group(const std::vector<Tensor>& parameters, const GroupSettings& settings);

  const std::vector<Tensor>& parameters() const { return parameters_; }
  std::int64_t steps_done() const { return state_.steps; }

  // Copies the state out and in. After set_state an optimizer that was made with the same settings takes the
  // same steps as the one that the state is from: the state has the learning rate, but not the other
  // settings. Throws Error when the kind, names or shapes are not those of this optimizer, or steps are
  // negative.
  OptimizerState state() const;
  void set_state(OptimizerState state);

 protected:
  // Updates n numbers of parameter `index` in place, by learning_rate_of(index) and weight_decay_of(index);
  // steps() is 1 in the first step.
  virtual void update(std::size_t index, Real* parameter, const Real* gradient, std::size_t n) = 0;

  // Arrays with the shapes of the parameters, zero at the start. They are kept from step to step and saved
  // with a run. The reference stays valid as long as the optimizer exists.
  std::vector<Array>& remember(const std::string& name);

  std::int64_t steps() const { return state_.steps; }
  double weight_decay() const { return weight_decay_; }

  // Those of parameter `index`, by its group.
  double learning_rate_of(std::size_t index) const { return learning_rate_ * groups_[index].rate; }
  double weight_decay_of(std::size_t index) const {
    return groups_[index].weight_decay.value_or(weight_decay_);
  }
  bool is_matrix(std::size_t index) const { return parameters_[index].dim() == 2 && groups_[index].matrix; }

 private:
  std::vector<Tensor> parameters_;
  std::vector<GroupSettings> groups_;  // of each parameter
  std::vector<std::size_t> sizes_;     // likewise
  double learning_rate_ = 0, weight_decay_;
  OptimizerState state_;
};

// The type of the members `lr`, which are not settings. `{.lr = 0.05}` does not compile: the message names
// the member that was meant.
struct NotASetting {
  NotASetting() = default;
  template <Number T>
  NotASetting(T) {
    static_assert(sizeof(T) == 0, "lr is not a setting: the member is called learning_rate");
  }
};

// The settings of all optimizers. Each optimizer documents how it uses them. Its constructor throws Error for
// a beta or a momentum outside [0,1), and for an eps, a rate or a decay that is negative or not finite.
struct OptimizerConfig {
  NotASetting lr = {};
  double learning_rate = 1e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double eps = 1e-8;
  double weight_decay = 0;
};

// The optimizers that can be chosen by name. Use add() to add your own.
using MakeOptimizer =
    std::function<std::unique_ptr<Optimizer>(std::vector<Tensor> parameters, const OptimizerConfig& config)>;
Registry<MakeOptimizer>& optimizers();

// How many arrays of a parameter's size the optimizer of this name keeps from step to step. Throws Error for
// an unknown name.
std::size_t arrays_kept(const std::string& name);

}  // namespace headlight::optim
