// An optimizer of somebody else: Lion (Chen et al. 2023), a step of the learning rate's length in the
// direction of the sign of a running mean.
#include <cmath>

#include "headlight/optim/optimizer.h"

using namespace headlight;
using namespace headlight::optim;

namespace {

class Lion : public Optimizer {
 public:
  Lion(std::vector<Tensor> parameters, const OptimizerConfig& c)
      : Optimizer(std::move(parameters), c.learning_rate, c.weight_decay),
        beta1_(static_cast<Real>(c.beta1)),
        beta2_(static_cast<Real>(c.beta2)),
        mean_(remember("mean")) {}

 protected:
  void update(std::size_t index, Real* x, const Real* g, std::size_t n) override {
    const Real rate = static_cast<Real>(learning_rate()), decay = static_cast<Real>(weight_decay());
    Real* m = mean_[index].data();
    for (std::size_t i = 0; i < n; ++i) {
      const Real way = beta1_ * m[i] + (1 - beta1_) * g[i];
      x[i] -= rate * (std::copysign(Real(way != 0), way) + decay * x[i]);
      m[i] = beta2_ * m[i] + (1 - beta2_) * g[i];
    }
  }

 private:
  Real beta1_, beta2_;
  std::vector<Array>& mean_;
};

const bool added =
    (optimizers().add({"sign", "steps along the sign of a running mean",
                       [](auto p, const auto& c) { return std::make_unique<Lion>(std::move(p), c); }}),
     true);

}  // namespace
