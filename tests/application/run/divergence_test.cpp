// Which runs are said to have diverged, or to have learned nothing.
#include "headlight/run/divergence.h"

#include "catch.h"
#include "headlight/run/experiment.h"
#include "headlight/run/run.h"
#include "run/saved.h"
#include "run/small_config.h"
#include "temporary_folder.h"

using namespace headlight;
using namespace headlight::run;

namespace {

Results trained(RunConfig config) {
  config.train.history = 0;
  config.train.evaluate_every = config.train.steps;
  Experiment run(config, {.threads = 1, .record = false});
  run.run_until(config.train.steps);
  return run.measure().results;
}

RunConfig quick(double rate, std::uint64_t seed = 0) {
  RunConfig config = small_config();
  config.train.learning_rate = rate;
  config.train.seed = seed;
  config.train.warmup = 5;
  config.train.steps = 60;
  return config;
}

Results with_losses(double first, double last) {
  Results r;
  r.loss_first = first;
  r.evaluation.loss = last;
  r.steps = 700;
  return r;
}

}  // namespace

TEST_CASE("a learning rate far too high diverges, with every seed", "[run][long]") {
  for (const double rate : {3.0, 10.0, 100.0})
    for (const std::uint64_t seed : {0, 1}) {
      INFO(rate << ", seed " << seed);
      CHECK(trained(quick(rate, seed)).diverged);
    }
}

TEST_CASE("a normal run has not diverged, nor one that learns too little", "[run][long]") {
  for (const std::string task : {"repeat", "copy"})
    for (const double rate : {1e-6, 7e-3, 0.05})
      for (const std::size_t layers : {1, 2}) {
        INFO(task << " at " << rate << " with " << layers << " layers");
        RunConfig config = quick(rate);
        config.task.name = task;
        config.model.n_layers = layers;
        CHECK_FALSE(trained(config).diverged);
      }
}

TEST_CASE("diverged: 1.5 times above the start and above guessing", "[run]") {
  RunConfig config;
  config.task.d_vocab = 64;  // ln 64 = 4.159
  CHECK_FALSE(diverged(with_losses(4.6, 6.8), config));
  CHECK(diverged(with_losses(4.6, 7.0), config));
  CHECK_FALSE(diverged(with_losses(2.0, 6.2), config));
  CHECK(diverged(with_losses(2.0, 6.3), config));
  CHECK_FALSE(diverged(with_losses(50.0, 70.0), config));
}

TEST_CASE("advice fits what went wrong", "[run]") {
  RunConfig config;
  CHECK(advice(with_losses(4.6, 1.6), config).empty());
  CHECK(advice(with_losses(4.6, 4.1), config).empty());
  CHECK(
      advice(with_losses(4.6, 4.2), config) ==
      "The model has learned nothing yet: its loss is 4.20 nats, and guessing gives ln 64 = 4.16. Hint: more "
      "steps of training (--steps) than 700, or another learning rate (--lr) than 0.007.");
  Results begun = with_losses(4.6, 4.6);
  begun.steps = 1;
  CHECK(advice(begun, config).empty());
  Results near = with_losses(4.6, 4.157);  // below ln 64 = 4.1589
  CHECK(contains(
      advice(near, config),
      "learned next to nothing yet: its loss is 4.157 nats, and guessing gives ln 64 = 4.159. Hint"));
  near.baselines = {{kBestPossible, {}}};
  near.baselines[0].losses.loss = 3.485;
  CHECK(
      contains(advice(near, config), "guessing gives ln 64 = 4.159; the best possible predictor has 3.485."));
  near.baselines[0].losses.loss = 4.15;  // of which the model has learned a fifth
  CHECK(advice(near, config).empty());
  config.train.learning_rate = 0.3;
  CHECK(contains(advice(with_losses(4.6, 4.2), config), "(--lr) below 0.3; the default is 0.007."));
  CHECK(
      advice(with_losses(4.6, 18060), config) ==
      "Training diverged: the loss rose from 4.60 to 18060 nats. Hint: a learning rate (--lr) below 0.3; the "
      "default is 0.007.");
  config.train.learning_rate = 1e-6;
  CHECK(contains(advice(with_losses(4.6, 4.5), config),
                 "than 700, or another learning rate (--lr) than 1e-06."));
}

TEST_CASE("summary.json says whether a run diverged, and older ones are read", "[run]") {
  const TemporaryFolder folder;
  RunConfig config = quick(10);
  config.train.history = 0;
  Experiment run(config, {.threads = 1});
  run.run_until(config.train.steps);
  save(run, folder.path() / "run");
  CHECK(read_run(folder.path() / "run", Parts::results).results.diverged);
  std::string text = to_json(read_run(folder.path() / "run", Parts::results).results);
  const std::string line = ",\n  \"diverged\": true";
  REQUIRE(contains(text, line));
  text.erase(text.find(line), line.size());
  CHECK_FALSE(results_from_json(text, "summary.json").diverged);
}
