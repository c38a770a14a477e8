#include "headlight/optim/lion.h"

#include "checked.h"

namespace headlight::optim {

Lion::Lion(std::vector<Tensor> parameters, const LionConfig& config)
    : Optimizer(std::move(parameters), config.learning_rate, config.weight_decay),
      beta1_(checked_momentum("beta1", config.beta1)),
      beta2_(checked_momentum("beta2", config.beta2)),
      m_(remember("m")) {}

void Lion::update(std::size_t index, Real* parameter, const Real* gradient, std::size_t n) {
  const auto real = [](double x) { return static_cast<Real>(x); };
  const Real b1 = real(beta1_), b2 = real(beta2_), c1 = real(1 - beta1_), c2 = real(1 - beta2_);
  const Real rate = real(learning_rate_of(index)),
             shrink = real(1 - learning_rate_of(index) * weight_decay_of(index));
  Real* m = m_[index].data();
  for (std::size_t i = 0; i < n; ++i) {
    const Real c = b1 * m[i] + c1 * gradient[i];
    const Real sign = static_cast<Real>(c > 0) - static_cast<Real>(c < 0);
    parameter[i] = shrink * parameter[i] - rate * sign;
    m[i] = b2 * m[i] + c2 * gradient[i];
  }
}

}  // namespace headlight::optim
