#include "headlight/studies/strategies.h"

#include <cmath>

#include "catch.h"
#include "headlight/autograd/record.h"
#include "headlight/run/experiment.h"
#include "headlight/tasks/batch.h"

using namespace headlight;

namespace {

run::Run trained_on(const std::string& task) {
  run::RunConfig config;
  config.task.name = task;
  config.task.n_ctx = 12, config.task.states = 3;
  config.model.n_layers = 1, config.model.n_heads = 2, config.model.d_model = 8;
  config.train.steps = 20, config.train.history = 3;
  run::Experiment experiment(config);
  experiment.run_until(20);
  return experiment.measure();
}

// (count + 1)/(sum + 3) of each letter after the last one, or after any.
std::vector<double> counted(const std::vector<std::int32_t>& tokens, bool pairs) {
  std::vector<double> p(3, 1);
  double sum = 3;
  for (std::size_t t = 0; t < tokens.size(); ++t)
    if (!pairs || (t > 0 && tokens[t - 1] == tokens.back())) ++p[static_cast<std::size_t>(tokens[t])], ++sum;
  for (double& x : p) x /= sum;
  return p;
}

const draw::Series& series(const draw::Chart& chart, const std::string& name) {
  for (const draw::Series& s : chart.series)
    if (s.name == name) return s;
  throw std::runtime_error("there is no series " + name);
}

}  // namespace

TEST_CASE("a model's distance from each strategy is that of counting by hand", "[studies][strategies]") {
  const run::Run trained = trained_on("markov");
  ThreadPool pool(2);
  const std::vector<draw::Chart> charts = studies::strategy_charts(trained, pool);
  const tasks::Batch batch = tasks::draw_batch(trained.task, trained.task.training, 128,
                                               Rng(trained.config.train.seed).stream("study, measured"));
  const NoGrad no_grad;
  const Array logits = (*trained.model)(batch.tokens).array();
  double loss = 0, level = 0, unigrams = 0, bigrams = 0;
  for (std::size_t b = 0; b < 128; ++b) {
    std::vector<std::int32_t> tokens;
    for (std::size_t t = 0; t < 12; ++t) tokens.push_back(batch.tokens(b, t));
    double sum = 0;
    for (std::size_t v = 0; v < 3; ++v) sum += std::exp(static_cast<double>(logits(b, 11, v)));
    const auto q = [&](std::size_t v) { return std::exp(static_cast<double>(logits(b, 11, v))) / sum; };
    const auto target = static_cast<std::size_t>(batch.targets(b, 11));
    loss -= std::log(q(target)) / 128;
    level -= std::log(counted(tokens, true)[target]) / 128;
    for (std::size_t v = 0; v < 3; ++v) {
      const double one = counted(tokens, false)[v], two = counted(tokens, true)[v];
      unigrams += one * std::log(one / q(v)) / 128;
      bigrams += two * std::log(two / q(v)) / 128;
    }
  }
  CHECK(charts[0].y.label == "loss on the last token (nats)");
  CHECK(charts[1].y.label == "KL(strategy, model) (nats)");
  std::vector<std::string> losses, distances;
  for (const draw::Series& s : charts[0].series) losses.push_back(s.name);
  for (const draw::Series& s : charts[1].series) distances.push_back(s.name);
  CHECK(losses == std::vector<std::string>{"model", "uniform", "unigrams", "best possible"});
  CHECK(distances == std::vector<std::string>{"uniform", "unigrams", "best possible"});
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(charts[1].series[i].style == i + 1);
    CHECK(charts[0].series[i + 1].style == i + 1);
    CHECK(charts[0].series[i + 1].x == std::vector<double>{0, 20});
  }
  CHECK(series(charts[0], "model").y.back() == Approx(loss).epsilon(1e-4));
  CHECK(series(charts[0], "uniform").y.back() == Approx(std::log(3)));
  CHECK(series(charts[0], "best possible").y.back() == Approx(level));
  CHECK(series(charts[1], "unigrams").y.back() == Approx(unigrams).epsilon(1e-4));
  CHECK(series(charts[1], "best possible").y.back() == Approx(bigrams).epsilon(1e-4));
  CHECK(series(charts[1], "best possible").x.front() == 0);
  CHECK(series(charts[1], "best possible").x.back() == 20);
}

TEST_CASE("strategies are refused where the last token is not predicted, or none is known",
          "[studies][strategies]") {
  ThreadPool pool(1);
  run::Run kept = trained_on("markov"), without = trained_on("parity");
  kept.snapshots.clear();
  CHECK(
      contains(error_of([&] { studies::strategy_charts(kept, pool); }), "kept no snapshots along training"));
  CHECK(contains(error_of([&] { studies::strategy_charts(without, pool); }),
                 "no strategy but the uniform guess is known for the task 'parity'"));
}
