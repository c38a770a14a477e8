#include "headlight/run/experiment.h"

#include <algorithm>
#include <chrono>

#include "experiment_parts.h"
#include "experiment_state.h"
#include "headlight/core/check.h"
#include "headlight/core/version.h"
#include "headlight/run/divergence.h"
#include "headlight/run/run_folder.h"
#include "headlight/run/training_memory.h"
#include "headlight/train/safetensors.h"
#include "resumable.h"
#include "run_reader.h"

namespace headlight::run {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr double kFormed = 0.5;  // predictable accuracy from which the task counts as learned

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

// What went wrong comes first: it is the reason for the rest.
std::string with_advice(const std::string& verdict, const std::string& advice) {
  return advice.empty() ? verdict : advice + " " + verdict;
}

}  // namespace

Every every(std::int64_t steps) {
  check(steps >= 1, "an observer cannot look every {} steps: expected at least 1.", steps);
  return {steps};
}

Experiment::Experiment(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Experiment::Experiment(const RunConfig& config, const ExperimentOptions& options) {
  check_config(config);
  tasks::Task task = make_task(config);
  require_training_memory(config, task, options.threads);
  parts_ = std::make_unique<Parts>(std::move(task), filled_in(config), options);
}
Experiment::Experiment(tasks::Task task, const RunConfig& config, const ExperimentOptions& options) {
  tasks::check_task(task);
  const RunConfig complete = filled_in(config, task);
  require_training_memory(complete, task, options.threads);
  parts_ = std::make_unique<Parts>(std::move(task), complete, options);
}
Experiment::Experiment(Experiment&&) noexcept = default;
Experiment& Experiment::operator=(Experiment&&) noexcept = default;
Experiment::~Experiment() = default;

Experiment Experiment::resume(const RunFolder& from, const ResumeOptions& options) {
  RunConfig config = load_config(from);
  RunReader(from).check_all();  // those too that observers read
  if (options.steps) config.train.steps = *options.steps;
  check_config(config);
  Experiment run(config, {.threads = options.threads, .command = options.command});
  of_one_save(from, [&] { run.restore(from); });
  check_resumable(run, from.path);
  return run;
}

void Experiment::restore(const RunFolder& from) {
  Parts& p = *parts_;
  const fs::path &folder = from.path, weights = folder / files::kModel;
  train::set_weights(*p.model, train::load_safetensors(weights).arrays, weights.string());
  SavedState state = load_state(folder, *p.model);
  check(state.steps == load_results(from).steps, "'{}' and {} are of different runs: they have other steps.",
        (folder / files::kState).string(), files::kSummary);
  check(state.steps <= p.config.train.steps, "'{}' has already been trained for {} steps, more than {}.",
        folder.string(), state.steps, p.config.train.steps);
  p.trainer.set_state(state.steps, std::move(state.optimizer));
  p.seconds_before = state.seconds;
  p.loss_first = state.loss_first;
  p.loss_last = state.loss_last;
  p.started = true, p.resumed_from = from;
  for (const auto& observer : p.observers) observer->load(folder);
}

void Experiment::observe(std::shared_ptr<Observer> observer) {
  if (const auto& from = parts_->resumed_from)
    of_one_save(*from, [&] { observer->load(from->path / files::kObservers); });
  parts_->observers.push_back(std::move(observer));
}

void Experiment::observe(Every every, std::function<void(const Experiment&)> look) {
  observe(std::make_shared<Periodic>(every, std::move(look)));
}

train::StepReport Experiment::step() {
  Parts& p = *parts_;
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

std::int64_t Experiment::steps_done() const { return parts_->trainer.steps_done(); }

double Experiment::seconds() const {
  const Parts& p = *parts_;
  return p.seconds_before + (p.began ? std::chrono::duration<double>(Clock::now() - *p.began).count() : 0);
}

const RunConfig& Experiment::config() const { return parts_->config; }
const tasks::Task& Experiment::task() const { return parts_->task; }
nn::Transformer& Experiment::model() { return *parts_->model; }
const nn::Transformer& Experiment::model() const { return *parts_->model; }
train::Trainer& Experiment::trainer() { return parts_->trainer; }

train::Evaluation Experiment::evaluate() const {
  return parts_->probes().evaluate(model(), parts_->pool, Extent::along_the_way);
}
std::vector<interpret::HeadScores> Experiment::head_scores() const {
  return parts_->probes().score_heads(model(), Extent::along_the_way);
}

const std::vector<Metrics>& Experiment::metrics() const {
  static const std::vector<Metrics> none;
  return parts_->metrics ? parts_->metrics->metrics() : none;
}

std::vector<train::Snapshot> Experiment::snapshots() const {
  std::vector<train::Snapshot> snapshots;
  if (parts_->history) snapshots = parts_->history->snapshots();
  if (snapshots.empty() || snapshots.back().step == steps_done()) return snapshots;
  snapshots.push_back({steps_done(), train::weights_of(model())});
  return snapshots;
}

Results Experiment::results() const {
  const Parts& p = *parts_;
  check(steps_done() > 0, "[results] there are none before the first step.");
  Results r;
  r.command = p.command, r.version = version(), r.task = p.config.task.name;
  r.seed = p.config.train.seed;
  r.steps = steps_done(), r.interrupted = !done();
  r.train_seconds = seconds();
  r.tokens_per_second = static_cast<double>(r.steps) *
                        static_cast<double>(p.config.train.batch * p.config.task.n_ctx) /
                        std::max(r.train_seconds, 1e-9);
  for (std::size_t i = 0; i < metrics().size() && !r.formed_at_step; ++i)
    if (const Metrics& m = metrics()[i]; m.evaluation.accuracy_predictable.value_or(0) >= kFormed) {
      r.formed_at_step = m.step;
      r.formed_at_seconds = p.metrics->seconds()[i];
    }
  r.loss_first = p.loss_first, r.loss_last = p.loss_last;
  r.evaluation = parts_->probes().evaluate(*p.model, parts_->pool, Extent::full);
  check_finite(r.evaluation, r.steps, p.config);
  r.yardsticks = parts_->probes().yardsticks();
  if (const auto held_out = parts_->probes().evaluate_held_out(*p.model, parts_->pool)) {
    r.accuracy_held_out = held_out->accuracy_predictable;
    r.loss_held_out = held_out->loss;
  }
  r.heads = parts_->probes().score_heads(*p.model, Extent::full);
  if (p.task.solved_by == interpret::kInduction && interpret::can_be_certified(p.model->config(), p.task)) {
    const std::vector<train::Snapshot> snapshots = this->snapshots();
    r.certificate = interpret::certify(*p.model, p.task, Rng(p.config.train.seed), parts_->pool,
                                       {.snapshots = &snapshots});
  }
  r.diverged = diverged(r, p.config);
  r.passed = passed(r, p.task);
  r.verdict = with_advice(verdict(r, p.task), advice(r, p.config));
  return r;
}

}  // namespace headlight::run
