// Clipping, optimizers and schedules against PyTorch.
#include <memory>

#include "golden/golden.h"
#include "headlight/ops/rearrange.h"
#include "headlight/optim/adam.h"
#include "headlight/optim/clip.h"
#include "headlight/optim/lion.h"
#include "headlight/optim/muon.h"
#include "headlight/optim/schedule.h"
#include "headlight/optim/sgd.h"

using namespace headlight;
using golden::Case;

namespace {

Array scaled(const Array& x, double factor) {
  Array y = x;
  for (Real& value : y) value = static_cast<Real>(static_cast<double>(value) * factor);
  return y;
}

std::unique_ptr<optim::Optimizer> make_optimizer(Case& c, const std::vector<Tensor>& parameters) {
  const auto kind = c.setting<std::string>("optimizer");
  const auto rate = c.setting<double>("learning_rate"), decay = c.setting<double>("weight_decay");
  if (kind == "SGD")
    return std::make_unique<optim::SGD>(
        parameters,
        optim::SGDConfig{.learning_rate = rate,
                         .momentum = c.setting<double>("momentum"),
                         .weight_decay = decay,
                         .nesterov = c.has("settings", "nesterov") && c.setting<bool>("nesterov")});
  const auto beta1 = c.setting<double>("beta1"), beta2 = c.setting<double>("beta2");
  if (kind == "Lion")
    return std::make_unique<optim::Lion>(
        parameters,
        optim::LionConfig{.learning_rate = rate, .beta1 = beta1, .beta2 = beta2, .weight_decay = decay});
  const optim::OptimizerConfig config{.learning_rate = rate,
                                      .beta1 = beta1,
                                      .beta2 = beta2,
                                      .eps = c.setting<double>("eps"),
                                      .weight_decay = decay};
  if (kind == "Muon") return std::make_unique<optim::Muon>(parameters, config);
  if (kind == "AdamW") return std::make_unique<optim::AdamW>(parameters, config);
  REQUIRE(kind == "Adam");
  return std::make_unique<optim::Adam>(parameters, config);
}

}  // namespace

// clip_grad_norm_ divides by norm + 1e-6 where it clips, so that its gradients are smaller than Headlight's
// by exactly that factor; the rest must agree as closely as anything else.
TEST_CASE("clipping by the global norm agrees with PyTorch but for its 1e-6", "[golden]") {
  golden::each_case("clipping.json", 2, [](Case& c) {
    const auto max_norm = c.setting<double>("max_norm");
    const std::vector<std::string> names = c.names("inputs");
    REQUIRE(names.size() == 3);
    std::vector<Tensor> parameters;
    std::vector<Real> flat;
    for (const std::string& name : names) {
      const Tensor gradient = c.constant(name);
      flat.insert(flat.end(), gradient.array().begin(), gradient.array().end());
      parameters.push_back(parameter(zeros(gradient.shape())));
      parameters.back().set_grad(gradient);
    }
    const double norm = optim::clip_by_global_norm(parameters, max_norm);
    CHECK(optim::clip_by_global_norm(flat.data(), flat.size(), max_norm) == Approx(norm));
    c.agrees("norm", Tensor(norm).array());
    c.agrees("norm_by_torch", Tensor(norm).array());
    const double torch_factor = norm > max_norm ? norm / (norm + 1e-6) : 1;
    const Real* computed_flat = flat.data();
    for (std::size_t i = 0; i < names.size(); ++i) {
      const Array& computed = parameters[i].grad().array();
      c.agrees("clipped." + names[i], computed);
      c.agrees("clipped_by_torch." + names[i], scaled(computed, torch_factor));
      for (Real value : computed) CHECK(*computed_flat++ == value);
    }
  });
}

TEST_CASE("ten steps of each optimizer agree with PyTorch", "[golden]") {
  golden::each_case("optimizers.json", 9, [](Case& c) {
    std::vector<std::string> names = c.names("inputs");
    names.resize(names.size() / 2);  // the other half are their gradients
    std::vector<Tensor> parameters, gradients;
    for (const std::string& name : names) {
      parameters.push_back(parameter(c.constant(name)));
      gradients.push_back(c.constant("gradients." + name));  // (10,…)
    }
    const auto optimizer = make_optimizer(c, parameters);
    std::vector<std::vector<Tensor>> walks(names.size());
    for (int step = 0; step < 10; ++step) {
      for (std::size_t i = 0; i < names.size(); ++i)
        parameters[i].set_grad(reshape_to(slice(gradients[i], 0, step, step + 1), parameters[i].shape()));
      optimizer->step();
      for (std::size_t i = 0; i < names.size(); ++i) walks[i].push_back(parameters[i].detach());
    }
    for (std::size_t i = 0; i < names.size(); ++i) c.agrees(names[i], stack(walks[i]).array());
  });
}

TEST_CASE("the rates of each schedule agree with PyTorch", "[golden]") {
  golden::each_case("schedules.json", optim::schedules().names().size(), [](Case& c) {
    const optim::Schedule schedule = optim::schedules().find(c.setting<std::string>("schedule"));
    const optim::ScheduleConfig config{.peak = c.setting<double>("peak"),
                                       .warmup = c.setting<std::int64_t>("warmup"),
                                       .total = c.setting<std::int64_t>("total"),
                                       .final_fraction = c.setting<double>("final_fraction"),
                                       .decay_part = c.setting<double>("decay_part")};
    Array rates = empty_array({30});
    for (std::size_t i = 0; i < rates.size(); ++i)
      rates.data()[i] = static_cast<Real>(schedule(config, static_cast<std::int64_t>(i + 1)));
    c.agrees("rates", rates);
  });
}
