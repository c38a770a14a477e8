// Optimizers by gradients that are given, schedules, clipping.
#include <fmt/core.h>

#include <cmath>

#include "checks.h"
#include "headlight/core/rng.h"
#include "headlight/optim/clip.h"
#include "headlight/optim/muon.h"
#include "headlight/optim/optimizer.h"
#include "headlight/optim/schedule.h"

namespace headlight::hunt {
namespace {

// Three steps of an optimizer on a tall matrix, a wide one and a vector.
std::string walked(const std::string& name, const optim::OptimizerConfig& config, bool restored = false) {
  Rng rng = Rng(1).stream("optimizer");
  std::vector<Tensor> parameters;
  for (const Shape& shape : {Shape{4, 2}, Shape{2, 4}, Shape{3}})
    parameters.push_back(parameter(rng.normal_array(shape)));
  auto optimizer = optim::optimizers().find(name)(parameters, config);
  std::string text;
  for (int step = 1; step <= 3; ++step) {
    for (Tensor& p : parameters) p.set_grad(Tensor(rng.normal_array(p.shape())));
    if (restored && step == 3) {
      const optim::OptimizerState state = optimizer->state();
      optimizer = optim::optimizers().find(name)(parameters, config);
      optimizer->set_state(state);
    }
    optimizer->step();
    double sum = 0;
    for (const Tensor& p : parameters) sum += digest(p.array());
    text += fmt::format("{}{}", text.empty() ? "parameters after 1, 2, 3 steps " : ", ", number(sum));
  }
  return text;
}

std::string clipped(const std::vector<double>& g, double bound) {
  Tensor x = parameter(empty_array({g.size()}));
  Array gradient = empty_array({g.size()});
  std::copy(g.begin(), g.end(), gradient.data());
  x.set_grad(Tensor(gradient));
  const double norm = optim::clip_by_global_norm({x}, bound);
  const Array& after = x.grad().array();
  return fmt::format("norm {}, gradient [{}]", number(norm), numbers({after.begin(), after.end()}));
}

std::string rates(const std::string& name, double decay_part) {
  const optim::ScheduleConfig config{.peak = 1, .warmup = 10, .total = 100, .decay_part = decay_part};
  std::vector<double> all;
  for (std::int64_t step : {1, 5, 10, 11, 50, 75, 95, 100, 120})
    all.push_back(optim::schedules().find(name)(config, step));
  return "rates " + numbers(all);
}

}  // namespace

std::vector<Check> optimizer_checks() {
  std::vector<Check> checks;
  const optim::OptimizerConfig plain{.learning_rate = 0.1, .beta1 = 0.8, .beta2 = 0.9};
  optim::OptimizerConfig decaying = plain, large_eps = plain;
  decaying.weight_decay = 0.3;
  large_eps.eps = 0.1;
  for (const auto& entry : optim::optimizers().entries()) {
    const std::string name = entry.name;
    checks.push_back({name, [=] { return walked(name, plain); }});
    checks.push_back({name + ", weight decay", [=] { return walked(name, decaying); }});
    checks.push_back({name + ", restored", [=] { return walked(name, plain, true); }});
  }
  checks.push_back({"adamw, eps 0.1", [=] { return walked("adamw", large_eps); }});
  for (const auto& entry : optim::schedules().entries())
    checks.push_back({"schedule " + entry.name, [name = entry.name] { return rates(name, 0.3); }});
  checks.push_back({"schedule wsd, a long decay", [] { return rates("wsd", 0.95); }});
  checks.push_back({"clip: norm 5 to 1", [] { return clipped({3, -4}, 1); }});
  checks.push_back({"clip: norm 5 to 10", [] { return clipped({3, -4}, 10); }});
  checks.push_back({"clip: an infinite norm", [] { return clipped({3, HUGE_VAL}, 1); }});
  return checks;
}

}  // namespace headlight::hunt
