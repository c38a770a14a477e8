// Experiment: a run from its config to its folder. The command line, the lessons and your own programs all
// use it. It does not print, handle signals or use the terminal.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "headlight/run/config.h"
#include "headlight/run/evaluation_sets.h"
#include "headlight/run/metrics.h"
#include "headlight/run/observer.h"
#include "headlight/run/results.h"
#include "headlight/run/run.h"
#include "headlight/train/history.h"

namespace headlight::run {

struct ExperimentOptions {
  int threads = 0;     // 0: all cores. Does not affect results
  bool record = true;  // record metrics and snapshots along training, as the config says; the page needs them
  std::string command = {};             // the command line, for the results
  train::Exchange* exchange = nullptr;  // where several processes train the run; must outlive it
};

struct ResumeOptions {
  int threads = 0;
  std::optional<std::int64_t> steps = {};  // train to this step instead of the config's
  std::string command = {};
  bool record = true;
  train::Exchange* exchange = nullptr;
};

// Task, model, trainer and observers of one config.
//   Experiment run(config);
//   while (!run.done()) run.step();
//   write_run("runs/mine", run.measure());
class Experiment {
 public:
  // Throws Error for an invalid config. The second constructor takes your own task instead of the one that
  // the config names. Programs that have this task in tasks::registry() can load the run again.
  explicit Experiment(const RunConfig& config, const ExperimentOptions& options = {});
  Experiment(tasks::Task task, const RunConfig& config, const ExperimentOptions& options = {});

  // Continues a saved run, of which read_run() has read all parts. Its steps are, bit for bit, those of an
  // uninterrupted run. Throws Error for a run of format 1, which has no optimizer state, and when metrics,
  // snapshots and state do not fit each other.
  static Experiment resume(const Run& run, const ResumeOptions& options = {});

  Experiment(Experiment&&) noexcept;
  Experiment& operator=(Experiment&&) noexcept;
  ~Experiment();

  // Adds an observer. In a resumed run the observer first loads what the observers saved. Call this before
  // the first step.
  void observe(std::shared_ptr<Observer> observer);
  void observe(Every every, std::function<void(const Experiment& run)> look);

  // One training step, then the observers. Throws Error when training cannot continue; the metrics so far are
  // kept.
  train::StepReport step();

  bool done() const { return steps_done() >= config().train.steps; }
  void run_until(std::int64_t step);

  std::int64_t steps_done() const;
  double seconds() const;  // of training so far, with observers, and with the time before a resume

  const RunConfig& config() const;
  const tasks::Task& task() const;
  nn::Transformer& model();
  const nn::Transformer& model() const;
  train::Trainer& trainer();

  // Measures now, on few sequences: see evaluation_sets.h.
  train::Evaluation evaluate() const;
  std::optional<train::Evaluation> evaluate_held_out() const;  // nothing if the task has no such sequences
  // Empty where the task has neither Task::scored nor answers: see EvaluationSets::score_heads.
  std::vector<interpret::HeadScores> head_scores() const;

  Metrics measured() const;  // all three of them, without own metrics

  // The metrics along training; empty without ExperimentOptions::record.
  const std::vector<Metrics>& metrics() const;

  // The snapshots kept along training, with the model as it is now as the last; empty if none are kept.
  std::vector<train::Snapshot> snapshots() const;

  // Measures on many sequences, with a certificate if the task has one, and returns the run as it is now.
  // resume() can continue it. Throws Error before the first step.
  Run measure() const;

 private:
  struct State;
  explicit Experiment(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace headlight::run
