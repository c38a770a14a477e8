#include "headlight/optim/sgd.h"

#include "checked.h"

namespace headlight::optim {

SGD::SGD(std::vector<Tensor> parameters, const SGDConfig& config)
    : Optimizer(std::move(parameters), config.learning_rate, config.weight_decay),
      momentum_(checked_momentum("a momentum", config.momentum)),
      nesterov_(config.nesterov),
      velocity_(remember("velocity")) {}

std::string SGD::kind() const {
  if (momentum_ == 0) return "SGD without momentum";
  return nesterov_ ? "SGD with Nesterov's momentum" : "SGD with momentum";
}

void SGD::update(std::size_t index, Real* parameter, const Real* gradient, std::size_t n) {
  Real* velocity = velocity_[index].data();
  const Real rate = static_cast<Real>(learning_rate_of(index)), momentum = static_cast<Real>(momentum_),
             decay = static_cast<Real>(weight_decay_of(index));
  for (std::size_t i = 0; i < n; ++i) {
    const Real g = gradient[i] + decay * parameter[i];
    velocity[i] = momentum * velocity[i] + g;
    parameter[i] -= rate * (nesterov_ ? g + momentum * velocity[i] : velocity[i]);
  }
}

}  // namespace headlight::optim
