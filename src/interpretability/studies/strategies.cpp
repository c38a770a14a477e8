#include "headlight/studies/strategies.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "headlight/autograd/record.h"
#include "headlight/core/check.h"
#include "headlight/core/math.h"
#include "headlight/run/baselines.h"
#include "headlight/run/run_files.h"
#include "headlight/studies/head_studies.h"
#include "headlight/tasks/batch.h"

namespace headlight::studies {
namespace {

constexpr std::size_t kDrawnSequences = 128;
constexpr std::size_t kWithoutDashes = 5;  // the style of a line without dashes, which levels do not take

// The probabilities of a strategy for the last token of each sequence: (B)(V).
struct Strategy {
  std::string name;
  std::vector<std::vector<double>> probabilities;
};

std::vector<tasks::Sequence> measured_sequences(const run::Run& run) {
  const Rng rng = Rng(run.config.train.seed).stream("study, measured");
  std::vector<tasks::Sequence> all;
  for (std::uint64_t i = 0; i < kDrawnSequences; ++i) {
    all.push_back(tasks::draw_sequence(run.task, run.task.training, rng, i));
    check(all.back().targets.back() != tasks::kNoTarget,
          "[strategies] the task '{}' predicts nothing at its last token.", run.config.task.name);
  }
  return all;
}

// What a predictor gives each token of the vocabulary; nothing if these are no probabilities, as those of a
// task whose answers are certain.
std::vector<double> distribution(const tasks::Losses& losses, tasks::Sequence s, std::size_t vocabulary) {
  std::vector<double> p(vocabulary);
  double sum = 0;
  for (std::size_t v = 0; v < vocabulary; ++v) {
    s.targets.back() = static_cast<std::int32_t>(v);
    sum += p[v] = math::exp(-losses(s).back());
  }
  return std::abs(sum - 1) < 1e-6 ? p : std::vector<double>();
}

std::vector<Strategy> strategies_of(const tasks::Task& task, const std::vector<tasks::Sequence>& sequences,
                                    ThreadPool& pool) {
  const std::size_t vocabulary = task.config.d_vocab;
  std::vector<tasks::Reference> predictors = task.references;
  if (task.best_loss) predictors.push_back({run::kBestPossible, task.best_loss});
  const auto is_uniform = [](const tasks::Reference& r) { return r.name == "uniform"; };
  const double all = static_cast<double>(vocabulary);
  if (std::none_of(predictors.begin(), predictors.end(), is_uniform))
    predictors.insert(predictors.begin(), {"uniform", [all](const tasks::Sequence& s) {
                                             return std::vector<double>(s.targets.size(), math::log(all));
                                           }});
  std::vector<Strategy> known;
  for (const tasks::Reference& predictor : predictors) {
    Strategy strategy{predictor.name, std::vector<std::vector<double>>(sequences.size())};
    pool.run(sequences.size(), [&](std::size_t b) {
      strategy.probabilities[b] = distribution(predictor.losses, sequences[b], vocabulary);
    });
    const bool exists = std::none_of(strategy.probabilities.begin(), strategy.probabilities.end(),
                                     [](const auto& p) { return p.empty(); });
    if (exists) known.push_back(std::move(strategy));
  }
  check(known.size() > 1, "[strategies] no strategy but the uniform guess is known for the task '{}'.",
        task.config.name);
  return known;
}

// The logarithms of what the model gives each token at the last place: (B)(V).
std::vector<std::vector<double>> last_log_probabilities(const nn::Transformer& model,
                                                        const tasks::Batch& batch) {
  const NoGrad no_grad;
  const Array logits = model(batch.tokens, {}, {.source = batch.source}).array();  // (B,n,V)
  const std::size_t n = logits.shape()[1], V = logits.shape()[2];
  std::vector<std::vector<double>> all;
  for (std::size_t b = 0; b < logits.shape()[0]; ++b) {
    const Real* row = logits.data() + (b * n + n - 1) * V;
    const double largest = static_cast<double>(*std::max_element(row, row + V));
    double sum = 0;
    for (std::size_t v = 0; v < V; ++v) sum += math::exp(static_cast<double>(row[v]) - largest);
    std::vector<double>& logs = all.emplace_back();
    for (std::size_t v = 0; v < V; ++v)
      logs.push_back(static_cast<double>(row[v]) - largest - math::log(sum));
  }
  return all;
}

double divergence(const Strategy& strategy, const std::vector<std::vector<double>>& model) {
  double sum = 0;
  for (std::size_t b = 0; b < model.size(); ++b)
    for (std::size_t v = 0; v < strategy.probabilities[b].size(); ++v)
      if (const double p = strategy.probabilities[b][v]; p > 0) sum += p * (math::log(p) - model[b][v]);
  return sum / static_cast<double>(model.size());
}

}  // namespace

std::vector<draw::Chart> strategy_charts(const run::Run& run, ThreadPool& pool) {
  check(!run.snapshots.empty(),
        "[strategies] this run kept no snapshots along training. Hint: train with --history 40.");
  const std::vector<tasks::Sequence> sequences = measured_sequences(run);
  const std::vector<Strategy> strategies = strategies_of(run.task, sequences, pool);
  const tasks::Batch batch = study_batch(run, kDrawnSequences);  // the same sequences
  const std::vector<train::Snapshot> snapshots = run::all_snapshots(run);
  std::vector<double> steps, losses(snapshots.size());
  std::vector<std::vector<double>> divergences(strategies.size(), losses);
  for (const train::Snapshot& snapshot : snapshots) steps.push_back(static_cast<double>(snapshot.step));
  pool.run(snapshots.size(), [&](std::size_t i) {
    nn::Transformer model = nn::clone(*run.model);
    train::set_weights(model, snapshots[i].weights, run::files::kHistory);
    const auto logs = last_log_probabilities(model, batch);
    for (std::size_t b = 0; b < logs.size(); ++b)
      losses[i] -=
          logs[b][static_cast<std::size_t>(sequences[b].targets.back())] / static_cast<double>(logs.size());
    for (std::size_t s = 0; s < strategies.size(); ++s) divergences[s][i] = divergence(strategies[s], logs);
  });

  const draw::Axis step{"step"};
  draw::Chart loss{"", step, {"loss on the last token (nats)", false, 0.0}, {{"model", steps, losses}}};
  draw::Chart apart{"", step, {"KL(strategy, model) (nats)", false, 0.0}, {}};
  std::size_t style = 1;
  for (std::size_t s = 0; s < strategies.size(); ++s) {
    double level = 0;
    for (std::size_t b = 0; b < sequences.size(); ++b)
      level -=
          math::log(strategies[s].probabilities[b][static_cast<std::size_t>(sequences[b].targets.back())]) /
          static_cast<double>(sequences.size());
    if (style == kWithoutDashes) ++style;
    loss.series.push_back({strategies[s].name, {steps.front(), steps.back()}, {level, level}});
    apart.series.push_back({strategies[s].name, steps, divergences[s]});
    loss.series.back().style = apart.series.back().style = style++;
  }
  return {loss, apart};
}

}  // namespace headlight::studies
