// Whole training runs against PyTorch: from a seed to the weights after the last step.
#include "golden/golden.h"
#include "headlight/train/weights.h"
#include "run/whole_run.h"

using namespace headlight;
using namespace headlight::run;
using golden::Case;

namespace {

using Size = std::size_t;

RunConfig config_of(Case& c) {
  RunConfig config;
  config.task.name = c.setting<std::string>("task");
  config.task.d_vocab = c.setting<Size>("d_vocab");
  config.task.n_ctx = c.setting<Size>("n_ctx");
  config.model.n_layers = c.setting<Size>("n_layers");
  config.model.d_model = c.setting<Size>("d_model");
  config.model.n_heads = c.setting<Size>("n_heads");
  config.model.positions = c.setting<std::string>("positions");
  train::TrainConfig& t = config.train;
  t.steps = c.setting<std::int64_t>("steps");
  t.batch = c.setting<Size>("batch");
  t.shards = c.setting<Size>("shards");
  t.optimizer = c.setting<std::string>("optimizer");
  t.learning_rate = c.setting<double>("learning_rate");
  t.schedule = c.setting<std::string>("schedule");
  t.warmup = c.setting<std::int64_t>("warmup");
  t.beta1 = c.setting<double>("beta1");
  t.beta2 = c.setting<double>("beta2");
  t.weight_decay = c.setting<double>("weight_decay");
  t.clip = c.setting<double>("clip");
  t.seed = c.setting<std::uint64_t>("seed");
  return config;
}

Array array_of(const std::vector<double>& numbers) {
  Array x = empty_array({numbers.size()});
  for (Size i = 0; i < numbers.size(); ++i) x.data()[i] = static_cast<Real>(numbers[i]);
  return x;
}

Array every_499th(const Array& flat) {
  std::vector<double> numbers;
  for (Size i = 0; i < flat.size(); i += 499) numbers.push_back(static_cast<double>(flat.data()[i]));
  return array_of(numbers);
}

// What data/golden/trainer_cases.py says of the same name.
Array projections_of_change(const Array& from, const Array& to) {
  std::vector<double> sums(3);
  for (Size k = 0; k < 3; ++k)
    for (Size i = 0; i < from.size(); ++i)
      sums[k] += (static_cast<double>((40503 * i + 9973 * k) % 1009) / 1009 - 0.5) *
                 static_cast<double>(to.data()[i] - from.data()[i]);
  return array_of(sums);
}

}  // namespace

TEST_CASE("whole training runs agree with PyTorch", "[golden]") {
  golden::each_case("trainer.json", 6, [](Case& c) {
    const RunConfig config = config_of(c);
    const auto steps = c.setting<Size>("steps_run");
    const IntArray last_tokens = c.integers("tokens");
    const tasks::Batch last = training_batch(config, config.train.batch, (steps - 1) * config.train.batch);
    CHECK(std::equal(last_tokens.begin(), last_tokens.end(), last.tokens.begin(), last.tokens.end()));

    WholeRun run(config, 2);
    const train::Weights before = train::weights_of(*run.model);
    std::vector<double> losses, norms, rates;
    for (Size i = 0; i < steps; ++i) {
      const train::StepReport report = run.step();
      CHECK(report.step == static_cast<std::int64_t>(i + 1));
      losses.push_back(report.loss);
      norms.push_back(report.gradient_norm);
      rates.push_back(report.learning_rate);
    }
    c.agrees("loss", array_of(losses));
    c.agrees("gradient_norm", array_of(norms));
    c.agrees("learning_rate", array_of(rates));
    c.agrees("weights", every_499th(flat_weights(*run.model)));
    for (const auto& [name, after] : train::weights_of(*run.model))
      c.agrees("moved." + name, projections_of_change(before.at(name), after));
  });
}
