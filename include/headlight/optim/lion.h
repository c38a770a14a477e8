// Lion: steps of one size, in the direction of the momentum's sign.
#pragma once

#include "headlight/optim/optimizer.h"

namespace headlight::optim {

struct LionConfig {
  NotASetting lr = {};
  double learning_rate = 1e-4;
  double beta1 = 0.9;
  double beta2 = 0.99;
  double weight_decay = 0;
};

// c ← β₁m + (1-β₁)g,   θ ← θ - lr·weight_decay·θ - lr·sign(c),   m ← β₂m + (1-β₂)g   (Chen et al. 2023)
// Every number moves by lr, so Lion takes a learning rate 3 to 10 times smaller than AdamW's, and a weight
// decay as many times larger. Where c is 0 only the decay moves the number.
class Lion : public Optimizer {
 public:
  Lion(std::vector<Tensor> parameters, const LionConfig& config = {});
  template <Number T>  // not a double, which `{}` would make 0
  Lion(std::vector<Tensor> parameters, T learning_rate)
      : Lion(std::move(parameters), LionConfig{.learning_rate = static_cast<double>(learning_rate)}) {}

  std::string kind() const override { return "Lion"; }

 protected:
  void update(std::size_t index, Real* parameter, const Real* gradient, std::size_t n) override;

 private:
  double beta1_, beta2_;
  std::vector<Array>& m_;
};

}  // namespace headlight::optim
