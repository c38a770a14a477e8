// Optimizers: from gradients to the next parameters.
#pragma once

#include <cstdint>
#include <vector>

#include "headlight/autograd/tensor.h"

namespace headlight::optim {

// Parameters, and what they have in common. Gradients come from the parameters' grad(), or from an
// array for each parameter.
class Optimizer {
 public:
  explicit Optimizer(std::vector<Tensor> parameters);
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
  const std::vector<Tensor>& parameters() const { return parameters_; }

 protected:
  // Updates n numbers of parameter `index` in place; steps() is 1 in the first step.
  virtual void update(std::size_t index, Real* parameter, const Real* gradient, std::size_t n) = 0;

  // Numbers kept for each parameter from step to step, starting at 0.
  std::vector<Array> state_like_parameters() const;
  std::int64_t steps() const { return steps_; }

  double learning_rate_ = 0;

 private:
  std::vector<Tensor> parameters_;
  std::int64_t steps_ = 0;
};

struct SGDConfig {
  double learning_rate = 0.1;
  double momentum = 0;
  double weight_decay = 0;
};

// g ← g + weight_decay·θ,   v ← momentum·v + g,   θ ← θ - lr·v
class SGD : public Optimizer {
 public:
  SGD(std::vector<Tensor> parameters, const SGDConfig& config = {});

 protected:
  void update(std::size_t index, Real* parameter, const Real* gradient, std::size_t n) override;

 private:
  SGDConfig config_;
  std::vector<Array> velocity_;
};

struct AdamConfig {
  double learning_rate = 1e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double eps = 1e-8;
  double weight_decay = 0;
};

// m ← β₁m + (1-β₁)g,   v ← β₂v + (1-β₂)g²,   θ ← θ - lr·m̂/(√v̂ + eps),   m̂ = m/(1-β₁ᵗ), v̂ = v/(1-β₂ᵗ)
// (Kingma and Ba 2014). Weight decay, if any, is added to the gradient.
class Adam : public Optimizer {
 public:
  Adam(std::vector<Tensor> parameters, const AdamConfig& config = {});

 protected:
  Adam(std::vector<Tensor> parameters, const AdamConfig& config, bool decoupled);
  void update(std::size_t index, Real* parameter, const Real* gradient, std::size_t n) override;

 private:
  AdamConfig config_;
  bool decoupled_;
  std::vector<Array> m_, v_;
};

// Adam with the weight decay taken out of the gradient: θ ← θ - lr·weight_decay·θ, then the step
// (Loshchilov and Hutter 2017).
class AdamW : public Adam {
 public:
  AdamW(std::vector<Tensor> parameters, const AdamConfig& config = {})
      : Adam(std::move(parameters), config, true) {}
};

}  // namespace headlight::optim
