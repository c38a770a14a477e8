// What an Experiment consists of.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "headlight/run/experiment.h"
#include "headlight/run/run_folder.h"
#include "headlight/system/folder.h"
#include "recorders.h"
#include "replaced_run.h"

namespace headlight::run {

struct Experiment::Parts {
  Parts(tasks::Task the_task, const RunConfig& the_config, const ExperimentOptions& options)
      : config(the_config),
        task(std::move(the_task)),
        model(make_model(config, task)),
        pool(options.threads),
        trainer(*model, task, config.train, pool),
        command(options.command) {
    if (!options.record) return;
    metrics = std::make_shared<MetricsRecorder>();
    observers.push_back(metrics);
    if (config.train.history > 0) {
      history = std::make_shared<HistoryRecorder>(config.train.history, metrics);
      observers.push_back(history);
    }
    recorders = observers.size();
  }

  // The observers' files are in their own folder, so that no name collides with a file of the run.
  std::filesystem::path folder_of(std::size_t observer, const std::filesystem::path& folder) const {
    return observer < recorders ? folder : folder / files::kObservers;
  }

  // Drawn at the first measurement, so that a run that only trains needs no memory for them.
  const Probes& probes() {
    if (!drawn_probes) drawn_probes.emplace(task, config.train.seed);
    return *drawn_probes;
  }

  RunConfig config;
  tasks::Task task;
  std::unique_ptr<nn::Transformer> model;
  ThreadPool pool;
  train::Trainer trainer;
  std::optional<Probes> drawn_probes;
  std::string command;
  std::shared_ptr<MetricsRecorder> metrics;
  std::shared_ptr<HistoryRecorder> history;
  std::vector<std::shared_ptr<Observer>> observers;
  std::size_t recorders = 0;  // how many of them are the run's own
  bool started = false;
  std::optional<RunFolder> resumed_from;
  double seconds_before = 0;
  std::optional<std::chrono::steady_clock::time_point> began;  // the first step of this process
  double loss_first = 0, loss_last = 0;
  std::optional<FolderLock> claimed;
  std::optional<ReplacedRun> replaced;  // in the claimed folder
};

}  // namespace headlight::run
