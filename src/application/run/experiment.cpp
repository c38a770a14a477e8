#include "headlight/run/experiment.h"

#include <chrono>

#include "experiment_state.h"
#include "headlight/core/check.h"
#include "headlight/nn/check_model.h"
#include "headlight/run/measured.h"
#include "headlight/run/run_files.h"
#include "headlight/run/training_size.h"

namespace headlight::run {
namespace {

using Clock = std::chrono::steady_clock;

// Calls a function every `steps` steps.
class Periodic : public Observer {
 public:
  Periodic(Every every, std::function<void(const Experiment&)> look)
      : every_(every), look_(std::move(look)) {}
  void after(const Experiment& run, const train::StepReport& step) override {
    if (step.step % every_.steps == 0) look_(run);
  }

 private:
  Every every_;
  std::function<void(const Experiment&)> look_;
};

}  // namespace

Every every(std::int64_t steps) {
  check(steps >= 1, "an observer cannot look every {} steps: expected at least 1.", steps);
  return {steps};
}

Experiment::Experiment(std::unique_ptr<State> state) : state_(std::move(state)) {}
Experiment::Experiment(const RunConfig& config, const ExperimentOptions& options) {
  check_settings(config);
  tasks::Task task = make_task(config);
  RunConfig complete = filled_in(config, task);
  complete.task.name = config.task.name;  // in the registry
  nn::check_model(model_config(complete, task));
  check_training_size(complete, task);
  state_ = std::make_unique<State>(std::move(task), complete, options);
}
Experiment::Experiment(tasks::Task task, const RunConfig& config, const ExperimentOptions& options) {
  tasks::check_task(task);
  const RunConfig complete = filled_in(config, task);
  check_training_size(complete, task);
  state_ = std::make_unique<State>(std::move(task), complete, options);
}
Experiment::Experiment(Experiment&&) noexcept = default;
Experiment& Experiment::operator=(Experiment&&) noexcept = default;
Experiment::~Experiment() = default;

Experiment Experiment::resume(const Run& from, const ResumeOptions& options) {
  check(from.state.has_value() && from.model != nullptr,
        "this run cannot be resumed: it has no {}. Hint: it was saved by an older version; ./headlight train "
        "--config CONFIG trains it again, where CONFIG is the run's config.json.",
        files::kState);
  RunConfig config = from.config;
  if (options.steps) config.train.steps = *options.steps;
  check_settings(config);
  const TrainingState& state = *from.state;
  check(state.steps <= config.train.steps, "this run has already been trained for {} steps, more than {}.",
        state.steps, config.train.steps);
  Experiment run(from.task, config,
                 {.threads = options.threads,
                  .record = options.record,
                  .command = options.command,
                  .exchange = options.exchange});
  State& s = *run.state_;
  train::set_weights(*s.model, train::weights_of(*from.model), files::kModel);
  s.trainer.set_state(state.steps, state.optimizer);
  s.seconds_before = state.seconds;
  s.loss_first = state.loss_first;
  s.loss_last = state.loss_last;
  s.started = true, s.saved_by_observers = state.observers;
  if (s.metrics) s.metrics->restore(from);
  if (s.snapshots) s.snapshots->restore(from);
  return run;
}

void Experiment::observe(std::shared_ptr<Observer> observer) {
  if (state_->saved_by_observers) observer->load(*state_->saved_by_observers);
  state_->observers.push_back(std::move(observer));
}

void Experiment::observe(Every every, std::function<void(const Experiment&)> look) {
  observe(std::make_shared<Periodic>(every, std::move(look)));
}

train::StepReport Experiment::step() {
  State& p = *state_;
  if (!p.began) p.began = Clock::now();
  if (!p.started) {
    p.started = true;
    for (const auto& observer : p.observers) observer->start(*this);
  }
  const train::StepReport report = p.trainer.step();
  if (report.step == 1) p.loss_first = report.loss;
  p.loss_last = report.loss;
  for (const auto& observer : p.observers) observer->after(*this, report);
  return report;
}

void Experiment::run_until(std::int64_t step) {
  check(step <= config().train.steps, "cannot run until step {}: the config ends at {}.", step,
        config().train.steps);
  while (steps_done() < step) this->step();
}

std::int64_t Experiment::steps_done() const { return state_->trainer.steps_done(); }

double Experiment::seconds() const {
  const State& p = *state_;
  return p.seconds_before + (p.began ? std::chrono::duration<double>(Clock::now() - *p.began).count() : 0);
}

const RunConfig& Experiment::config() const { return state_->config; }
const tasks::Task& Experiment::task() const { return state_->task; }
nn::Transformer& Experiment::model() { return *state_->model; }
const nn::Transformer& Experiment::model() const { return *state_->model; }
train::Trainer& Experiment::trainer() { return state_->trainer; }

train::Evaluation Experiment::evaluate() const {
  return state_->evaluation_sets().evaluate(model(), state_->pool, Extent::along_the_way);
}
std::optional<train::Evaluation> Experiment::evaluate_held_out() const {
  return state_->evaluation_sets().evaluate_held_out(model(), state_->pool, Extent::along_the_way);
}
std::vector<interpret::HeadScores> Experiment::head_scores() const {
  return state_->evaluation_sets().score_heads(model(), state_->pool, Extent::along_the_way);
}

Metrics Experiment::measured() const {
  State& s = *state_;
  return run::measured(steps_done(), *s.model, s.config, s.evaluation_sets(), s.pool);
}

const std::vector<Metrics>& Experiment::metrics() const {
  static const std::vector<Metrics> none;
  return state_->metrics ? state_->metrics->metrics() : none;
}

std::vector<train::Snapshot> Experiment::snapshots() const {
  std::vector<train::Snapshot> snapshots;
  if (state_->snapshots) snapshots = state_->snapshots->snapshots();
  if (!snapshots.empty() && snapshots.back().step < steps_done())
    snapshots.push_back({steps_done(), train::weights_of(model())});
  return snapshots;
}

Run Experiment::measure() const {
  State& s = *state_;
  check(steps_done() > 0, "[measure] there are no results before the first step.");
  Run run{s.config, s.task, make_model(s.config, s.task)};
  train::set_weights(*run.model, train::weights_of(*s.model), files::kModel);
  run.metrics = metrics();
  if (s.metrics) run.seconds = s.metrics->seconds();
  if (!run.metrics.empty() && run.metrics.back().step < steps_done()) {
    run.metrics.push_back(MetricsRecorder::measured(*this, {}));
    run.seconds.push_back(seconds());
  }
  if (s.snapshots) run.snapshots = s.snapshots->snapshots();
  run.state = TrainingState{steps_done(), seconds(), s.loss_first, s.loss_last, s.trainer.state(), {}};
  measure_results(run, s.evaluation_sets(), s.pool);
  run.results.command = s.command;
  for (const auto& observer : s.observers) run.state->observers.merge(observer->save());
  return run;
}

}  // namespace headlight::run
