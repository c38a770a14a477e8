// An optimizer of somebody else: Lion (Chen et al. 2023), a step of the learning rate's length in the
// direction of the sign of a running mean.
#include <cmath>

#include "headlight/optim/optimizer.h"

namespace hl = headlight;

namespace {

class Lion : public hl::optim::Optimizer {
 public:
  Lion(std::vector<hl::Tensor> parameters, const hl::optim::OptimizerConfig& c)
      : hl::optim::Optimizer(std::move(parameters), c.learning_rate, c.weight_decay),
        beta1_(c.beta1),
        beta2_(c.beta2),
        mean_(remember("mean")) {}

 protected:
  void update(std::size_t index, hl::Real* x, const hl::Real* g, std::size_t n) override {
    const hl::Real rate = learning_rate(), decay = weight_decay();
    hl::Real* m = mean_[index].data();
    for (std::size_t i = 0; i < n; ++i) {
      const hl::Real way = beta1_ * m[i] + (1 - beta1_) * g[i];
      x[i] -= rate * (std::copysign(hl::Real(way != 0), way) + decay * x[i]);
      m[i] = beta2_ * m[i] + (1 - beta2_) * g[i];
    }
  }

 private:
  hl::Real beta1_, beta2_;
  std::vector<hl::Array>& mean_;
};

const bool added = (hl::optim::optimizers().add(
                        {"sign", "steps along the sign of a running mean",
                         [](auto p, const auto& c) { return std::make_unique<Lion>(std::move(p), c); }}),
                    true);

}  // namespace
