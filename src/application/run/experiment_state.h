// What an Experiment consists of.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "headlight/run/experiment.h"
#include "headlight/train/task_loss.h"
#include "recorders.h"

namespace headlight::run {

struct Experiment::State {
  State(tasks::Task the_task, const RunConfig& the_config, const ExperimentOptions& options)
      : config(the_config),
        task(std::move(the_task)),
        model(make_model(config, task)),
        pool(options.threads),
        trainer(
            train::task_trainer(*model, task, config.train, pool,
                                options.exchange != nullptr ? *options.exchange : train::Trainer::alone())),
        command(options.command) {
    if (!options.record) return;
    metrics = std::make_shared<MetricsRecorder>();
    observers.push_back(metrics);
    if (config.train.history > 0) {
      snapshots = std::make_shared<SnapshotRecorder>(config.train.history, metrics);
      observers.push_back(snapshots);
    }
  }

  // Drawn at the first measurement, so that a run that only trains needs no memory for them.
  const EvaluationSets& evaluation_sets() {
    if (!drawn_sets) drawn_sets.emplace(task, config.train.seed);
    return *drawn_sets;
  }

  RunConfig config;
  tasks::Task task;
  std::unique_ptr<nn::Transformer> model;
  ThreadPool pool;
  train::Trainer trainer;
  std::optional<EvaluationSets> drawn_sets;
  std::string command;
  std::shared_ptr<MetricsRecorder> metrics;
  std::shared_ptr<SnapshotRecorder> snapshots;
  std::vector<std::shared_ptr<Observer>> observers;
  bool started = false;
  std::optional<Files> saved_by_observers;  // of the run that goes on
  double seconds_before = 0;
  std::optional<std::chrono::steady_clock::time_point> began;  // the first step of this process
  double loss_first = 0, loss_last = 0;
};

}  // namespace headlight::run
