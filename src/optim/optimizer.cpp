#include "headlight/optim/optimizer.h"

#include <cmath>

#include "headlight/core/check.h"

namespace headlight::optim {

Optimizer::Optimizer(std::vector<Tensor> parameters) : parameters_(std::move(parameters)) {
  check(!parameters_.empty(), "an optimizer needs at least one parameter.");
  for (const Tensor& p : parameters_)
    check(p.is_leaf() && p.requires_grad(),
          "an optimizer moves leaves that require a gradient; got the result of '{}'.", p.op());
}

void Optimizer::step() {
  std::vector<const Real*> gradients;
  for (const Tensor& p : parameters_) {
    check(p.grad().defined(),
          "[step] a parameter of shape {} has no gradient. Hint: call loss.backward() first.", p.shape());
    gradients.push_back(p.grad().array().data());
  }
  step(gradients);
}

void Optimizer::step(const std::vector<const Real*>& gradients) {
  check(gradients.size() == parameters_.size(), "[step] {} gradients for {} parameters.", gradients.size(),
        parameters_.size());
  ++steps_;
  for (std::size_t i = 0; i < parameters_.size(); ++i)
    update(i, parameters_[i].mutable_array().data(), gradients[i], parameters_[i].size());
}

void Optimizer::zero_grad() {
  for (Tensor& p : parameters_) p.zero_grad();
}

std::vector<Array> Optimizer::state_like_parameters() const {
  std::vector<Array> state;
  for (const Tensor& p : parameters_) state.push_back(full_array(p.shape(), 0));
  return state;
}

SGD::SGD(std::vector<Tensor> parameters, const SGDConfig& config)
    : Optimizer(std::move(parameters)), config_(config), velocity_(state_like_parameters()) {
  learning_rate_ = config.learning_rate;
}

void SGD::update(std::size_t index, Real* parameter, const Real* gradient, std::size_t n) {
  Real* velocity = velocity_[index].data();
  const Real rate = static_cast<Real>(learning_rate_), momentum = static_cast<Real>(config_.momentum),
             decay = static_cast<Real>(config_.weight_decay);
  for (std::size_t i = 0; i < n; ++i) {
    velocity[i] = momentum * velocity[i] + (gradient[i] + decay * parameter[i]);
    parameter[i] -= rate * velocity[i];
  }
}

Adam::Adam(std::vector<Tensor> parameters, const AdamConfig& config)
    : Adam(std::move(parameters), config, false) {}

Adam::Adam(std::vector<Tensor> parameters, const AdamConfig& config, bool decoupled)
    : Optimizer(std::move(parameters)),
      config_(config),
      decoupled_(decoupled),
      m_(state_like_parameters()),
      v_(state_like_parameters()) {
  learning_rate_ = config.learning_rate;
}

void Adam::update(std::size_t index, Real* parameter, const Real* gradient, std::size_t n) {
  const auto real = [](double x) { return static_cast<Real>(x); };
  const auto t = static_cast<double>(steps());
  const Real b1 = real(config_.beta1), b2 = real(config_.beta2), c1 = real(1 - config_.beta1),
             c2 = real(1 - config_.beta2), eps = real(config_.eps);
  const Real unbias_m = real(1 / (1 - std::pow(config_.beta1, t)));
  const Real unbias_v = real(1 / (1 - std::pow(config_.beta2, t)));
  const Real rate = real(learning_rate_);
  const Real coupled = decoupled_ ? 0 : real(config_.weight_decay);
  const Real shrink = decoupled_ ? real(1 - learning_rate_ * config_.weight_decay) : 1;
  Real *m = m_[index].data(), *v = v_[index].data();
  for (std::size_t i = 0; i < n; ++i) {
    const Real g = gradient[i] + coupled * parameter[i];
    m[i] = b1 * m[i] + c1 * g;
    v[i] = b2 * v[i] + c2 * g * g;
    parameter[i] = shrink * parameter[i] - rate * (m[i] * unbias_m) / (std::sqrt(v[i] * unbias_v) + eps);
  }
}

}  // namespace headlight::optim
