#include "headlight/optim/adam.h"

#include <cmath>

#include "checked.h"
#include "headlight/core/math.h"

namespace headlight::optim {

Adam::Adam(std::vector<Tensor> parameters, const AdamConfig& config)
    : Adam(std::move(parameters), config, Decay::in_the_gradient) {}

Adam::Adam(std::vector<Tensor> parameters, const AdamConfig& config, Decay decay)
    : Optimizer(std::move(parameters), config.learning_rate, config.weight_decay),
      config_(config),
      decay_(decay),
      m_(remember("m")),
      v_(remember("v")) {
  checked_momentum("beta1", config.beta1);
  checked_momentum("beta2", config.beta2);
  checked_at_least_0("eps", config.eps);
}

void Adam::update(std::size_t index, Real* parameter, const Real* gradient, std::size_t n) {
  const auto real = [](double x) { return static_cast<Real>(x); };
  const double decay = weight_decay_of(index), full_rate = learning_rate_of(index);
  const bool decoupled = decay_ == Decay::decoupled;
  const Real b1 = real(config_.beta1), b2 = real(config_.beta2), c1 = real(1 - config_.beta1),
             c2 = real(1 - config_.beta2), eps = real(config_.eps);
  const Real unbias_m = real(1 / (1 - math::power(config_.beta1, static_cast<std::size_t>(steps()))));
  const Real unbias_v = real(1 / (1 - math::power(config_.beta2, static_cast<std::size_t>(steps()))));
  const Real rate = real(full_rate);
  const Real coupled = decoupled ? 0 : real(decay);
  const Real shrink = decoupled ? real(1 - full_rate * decay) : 1;
  Real *m = m_[index].data(), *v = v_[index].data();
  for (std::size_t i = 0; i < n; ++i) {
    const Real g = gradient[i] + coupled * parameter[i];
    m[i] = b1 * m[i] + c1 * g;
    v[i] = b2 * v[i] + c2 * g * g;
    parameter[i] = shrink * parameter[i] - rate * (m[i] * unbias_m) / (std::sqrt(v[i] * unbias_v) + eps);
  }
}

}  // namespace headlight::optim
