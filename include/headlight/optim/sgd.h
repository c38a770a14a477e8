// Stochastic gradient descent with momentum.
#pragma once

#include "headlight/optim/optimizer.h"

namespace headlight::optim {

struct SGDConfig {
  NotASetting lr = {};
  double learning_rate = 0.1;
  double momentum = 0;
  double weight_decay = 0;
  bool nesterov = false;
};

// g ← g + weight_decay·θ,   v ← momentum·v + g,   θ ← θ - lr·v
// With Nesterov's momentum the last step is θ ← θ - lr·(g + momentum·v): the gradient counts as if it were
// taken one step further along v (Nesterov 1983, in the form of Sutskever et al. 2013 that frameworks use).
class SGD : public Optimizer {
 public:
  SGD(std::vector<Tensor> parameters, const SGDConfig& config = {});
  template <Number T>  // not a double, which `{}` would make 0
  SGD(std::vector<Tensor> parameters, T learning_rate)
      : SGD(std::move(parameters), SGDConfig{.learning_rate = static_cast<double>(learning_rate)}) {}

  std::string kind() const override;

 protected:
  void update(std::size_t index, Real* parameter, const Real* gradient, std::size_t n) override;

 private:
  double momentum_;
  bool nesterov_;
  std::vector<Array>& velocity_;
};

}  // namespace headlight::optim
