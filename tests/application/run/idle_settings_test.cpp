// Settings without effect: which they are, and sweeps over them.
#include "catch.h"
#include "headlight/nn/positions.h"
#include "headlight/optim/optimizer.h"
#include "headlight/optim/schedule.h"
#include "headlight/sweep/sweep_plan.h"

using namespace headlight;
using namespace headlight::run;
using namespace headlight::sweep;

namespace {

// "task.hops: the task 'repeat' does not use it"
std::vector<std::string> idle(const RunConfig& config) {
  std::vector<std::string> all;
  for (const auto& [setting, why] : idle_settings(config))
    all.push_back(setting.part + "." + setting.row->key + ": " + why);
  return all;
}

bool has(const std::vector<std::string>& all, const std::string& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

std::string refusal(const RunConfig& base, const std::vector<std::string>& varied) {
  SweepPlan plan;
  plan.base = base;
  plan.seeds = {0, 1};
  for (const std::string& text : varied) plan.varied.push_back(varied_setting(text));
  try {
    planned_runs(plan);
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

Array trained(const std::string& name, double beta2) {
  Tensor p = parameter(Array{1, 2});
  const auto optimizer =
      optim::optimizers().find(name)({p}, {.learning_rate = 0.1, .beta1 = 0.9, .beta2 = beta2});
  for (int step = 1; step < 4; ++step) {
    const Array gradient{Real(0.5 * step * step), Real(step == 2 ? 3 : -1)};
    optimizer->step({gradient.data()});
  }
  return p.array();
}

}  // namespace

TEST_CASE("the settings that a choice does not use have no effect", "[run]") {
  RunConfig config;
  CHECK(has(idle(config), "task.hops: the task 'repeat' does not use it"));
  CHECK(has(idle(config), "model.max_distance: the kind of positions 'rotary' does not use it"));
  CHECK(has(idle(config), "train.decay_part: the schedule 'constant' does not use it"));
  CHECK(has(idle(config), "model.mlp: the model has no MLPs"));
  for (const std::string& text : idle(config)) {
    INFO(text);
    CHECK_FALSE(contains(text, "train.beta2"));
    CHECK_FALSE(contains(text, "window"));
    CHECK_FALSE(contains(text, "segment"));
  }
  config.task.name = "khop";
  config.model.positions = "t5";
  config.model.d_mlp = 32;
  config.train.optimizer = "nesterov";
  config.train.schedule = "wsd";
  CHECK(has(idle(config), "train.beta2: the optimizer 'nesterov' does not use it"));
  CHECK(has(idle(config), "task.d_vocab: the task 'khop' does not use it"));
  for (const std::string& text : idle(config)) {
    INFO(text);
    for (const char* used : {"hops", "max_distance", "decay_part", "mlp"}) CHECK_FALSE(contains(text, used));
  }
}

TEST_CASE("a window as wide as the context has no effect", "[run]") {
  RunConfig config;
  config.task.n_ctx = 32;
  config.model.window = 31;
  CHECK_FALSE(contains(fmt::format("{}", fmt::join(idle(config), "\n")), "window"));
  config.model.window = 32;
  CHECK(has(idle(config), "model.window: sequences have 32 tokens, so a query sees all of them anyway"));
}

TEST_CASE("optimizers, schedules and positions use the settings that they list", "[run]") {
  for (const auto& entry : optim::optimizers().entries()) {
    INFO(entry.name);
    CHECK(entry.uses.contains("beta2") == (trained(entry.name, 0.9) != trained(entry.name, 0.5)));
  }
  for (const auto& entry : optim::schedules().entries()) {
    const auto rate = [&](double part) {
      return entry.thing({.peak = 1, .warmup = 2, .total = 20, .decay_part = part}, 15);
    };
    INFO(entry.name);
    CHECK(entry.uses.contains("decay_part") == (rate(0.2) != rate(0.5)));
  }
  for (const auto& entry : nn::positions().entries()) {
    const auto numbers = [&](std::size_t distance) -> std::size_t {
      Rng rng(0);
      return entry.thing.rel_bias ? entry.thing.rel_bias({.max_distance = distance}, rng).size() : 0;
    };
    INFO(entry.name);
    CHECK(entry.uses.contains("max_distance") == (numbers(8) != numbers(16)));
  }
}

TEST_CASE("a sweep over a setting without effect is refused", "[run]") {
  const RunConfig base;
  CHECK(refusal(base, {"hops=1,2"}) ==
        "hops has no effect here, so its values would give equal runs: the task 'repeat' does not use it.");
  CHECK(contains(refusal(base, {"heads=1,2", "window=64,128"}), "window has no effect here"));
  CHECK(refusal(base, {"window=16,64"}).empty());
  CHECK(refusal(base, {"positions=rotary,relative", "max-distance=8,16"}).empty());
}
