// Adam and AdamW.
#pragma once

#include "headlight/optim/optimizer.h"

namespace headlight::optim {

using AdamConfig = OptimizerConfig;

// m ← β₁m + (1-β₁)g,   v ← β₂v + (1-β₂)g²,   θ ← θ - lr·m̂/(√v̂ + eps),   m̂ = m/(1-β₁ᵗ), v̂ = v/(1-β₂ᵗ)
// (Kingma and Ba 2014). Weight decay, if any, is added to the gradient.
class Adam : public Optimizer {
 public:
  Adam(std::vector<Tensor> parameters, const AdamConfig& config = {});
  template <Number T>  // not a double, which `{}` would make 0
  Adam(std::vector<Tensor> parameters, T learning_rate)
      : Adam(std::move(parameters), AdamConfig{.learning_rate = static_cast<double>(learning_rate)}) {}

  std::string kind() const override { return "Adam"; }

 protected:
  enum class Decay { in_the_gradient, decoupled };
  Adam(std::vector<Tensor> parameters, const AdamConfig& config, Decay decay);
  void update(std::size_t index, Real* parameter, const Real* gradient, std::size_t n) override;
  Array& first_moment(std::size_t index) { return m_[index]; }

 private:
  AdamConfig config_;
  Decay decay_;
  std::vector<Array>&m_, &v_;
};

// Adam with weight decay outside the gradient: θ ← θ - lr·weight_decay·θ, then the step
// (Loshchilov and Hutter 2017).
class AdamW : public Adam {
 public:
  AdamW(std::vector<Tensor> parameters, const AdamConfig& config = {})
      : Adam(std::move(parameters), config, Decay::decoupled) {}
  template <Number T>
  AdamW(std::vector<Tensor> parameters, T learning_rate)
      : AdamW(std::move(parameters), AdamConfig{.learning_rate = static_cast<double>(learning_rate)}) {}

  std::string kind() const override { return "AdamW"; }
};

}  // namespace headlight::optim
