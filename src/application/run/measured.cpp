#include "headlight/run/measured.h"

#include <algorithm>

#include "headlight/core/check.h"
#include "headlight/core/version.h"
#include "headlight/run/divergence.h"
#include "headlight/run/run_files.h"
#include "lowest_held_out.h"

namespace headlight::run {
namespace {

constexpr double kFormed = 0.5;  // predictable accuracy from which the task counts as learned

// What went wrong comes first: it is the reason for the rest.
std::string with_advice(const std::string& verdict, const std::string& advice) {
  return advice.empty() ? verdict : advice + " " + verdict;
}

// Of a text, whose held-out loss can rise while that in training falls: where it was lowest.
std::optional<LowestHeldOut> lowest_held_out(const Run& run, const Results& now, const EvaluationSets& sets,
                                             ThreadPool& pool) {
  if (run.task.references.empty() || run.task.best_loss || !now.loss_held_out) return {};
  const std::unique_ptr<nn::Transformer> model = make_model(run.config, run.task);
  std::vector<LowestHeldOut> measured;
  for (const std::size_t i : snapshots_to_measure(run.snapshots.size())) {
    train::set_weights(*model, run.snapshots[i].weights, files::kHistory);
    measured.push_back({run.snapshots[i].step, sets.evaluate_held_out(*model, pool, Extent::full)->loss});
  }
  return lowest_before(measured, {now.steps, *now.loss_held_out}, run.metrics, now.evaluation.loss);
}

}  // namespace

Metrics measured(std::int64_t step, const nn::Transformer& model, const RunConfig& config,
                 const EvaluationSets& sets, ThreadPool& pool) {
  Metrics m{step, sets.evaluate(model, pool, Extent::along_the_way), {}, {}};
  check_finite(m.evaluation, step, config);
  m.heads = sets.score_heads(model, pool, Extent::along_the_way);
  m.held_out = sets.evaluate_held_out(model, pool, Extent::along_the_way);
  return m;
}

std::vector<double> progress_of(const Metrics& m) {
  std::vector<double> progress{m.evaluation.accuracy_predictable.value_or(0)};
  for (const auto& head : m.heads)
    for (const std::optional<double>& value : head.values)
      if (value) progress.push_back(*value);
  return progress;
}

void measure_results(Run& run, const EvaluationSets& sets, ThreadPool& pool) {
  check(run.state.has_value(), "[measure_results] expected a run with its state.");
  const nn::Transformer& model = *run.model;
  const RunConfig& config = run.config;
  const TrainingState& state = *run.state;
  run.results = {};
  Results& r = run.results;
  r.version = version(), r.task = config.task.name;
  r.seed = config.train.seed;
  r.steps = state.steps, r.interrupted = state.steps < config.train.steps;
  r.train_seconds = state.seconds;
  r.tokens_per_second = static_cast<double>(r.steps) *
                        static_cast<double>(config.train.batch * config.task.n_ctx) /
                        std::max(r.train_seconds, 1e-9);
  const bool seen = !run.metrics.empty() && run.metrics.front().step == 0;  // all of training
  const bool guessed = sets.guessing() >= kFormed;                          // then half says nothing
  for (std::size_t i = 0; seen && !guessed && i < run.metrics.size() && !r.formed_at_step; ++i)
    if (run.metrics[i].evaluation.accuracy_predictable.value_or(0) >= kFormed)
      r.formed_at_step = run.metrics[i].step, r.formed_at_seconds = run.seconds[i];
  r.loss_first = state.loss_first, r.loss_last = state.loss_last;
  r.evaluation = sets.evaluate(model, pool, Extent::full);
  check_finite(r.evaluation, r.steps, config);
  r.baselines = sets.baselines();
  if (const auto held_out = sets.evaluate_held_out(model, pool, Extent::full)) {
    r.accuracy_held_out = held_out->accuracy_predictable;
    r.loss_held_out = held_out->loss;
    r.lowest_held_out = lowest_held_out(run, r, sets, pool);
  }
  r.heads = sets.score_heads(model, pool, Extent::full);
  if (run.task.solved_by == interpret::kInduction && interpret::can_be_certified(model.config(), run.task))
    r.certificate = certify(run, pool);
  r.diverged = diverged(r, config);
  r.passed = passed(r, run.task);
  r.verdict = with_advice(verdict(r, run.task), advice(r, config));
}

}  // namespace headlight::run
