// Experiment: a run from its config to its folder. The command line, lessons and programs of your own are all
// callers of this; nothing of it prints, takes signals or touches the terminal.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "headlight/experiment/config.h"
#include "headlight/experiment/metrics.h"
#include "headlight/experiment/observer.h"
#include "headlight/experiment/probes.h"
#include "headlight/experiment/results.h"

namespace headlight::inline HEADLIGHT_PRECISION {
class FolderLock;
}

namespace headlight::inline HEADLIGHT_PRECISION::experiment {

struct ExperimentOptions {
  int threads = 0;  // 0: all cores. Changes the time and no number
  bool record =
      true;  // measure and keep weights along training, as the config says; without, there is no page
  std::string command = {};  // what the results say was typed
};

struct ResumeOptions {
  int threads = 0;
  std::optional<std::int64_t> steps = {};  // train to this step instead of the config's
  std::string command = {};
};

// Task, model, trainer and observers of one config.
//   Experiment run(config);
//   while (!run.done()) run.step();
//   run.save("runs/mine");
class Experiment {
 public:
  // Throws Error for a config that cannot be. The second takes a task of your own in place of the config's
  // name; a run of it can be loaded again by programs that have it in tasks::registry().
  explicit Experiment(const RunConfig& config, const ExperimentOptions& options = {});
  Experiment(tasks::Task task, const RunConfig& config, const ExperimentOptions& options = {});

  // Goes on with a run that was saved: the steps that follow are, bit for bit, those that would have
  // followed. Throws Error when the folder holds no such run, or one of format 1, which kept no optimizer
  // state.
  static Experiment resume(const std::filesystem::path& folder, const ResumeOptions& options = {});

  Experiment(Experiment&&) noexcept;
  Experiment& operator=(Experiment&&) noexcept;
  ~Experiment();

  // Calls the observer from now on; in a resumed run it loads first what it had saved. To be called before
  // the first step.
  void observe(std::shared_ptr<Observer> observer);
  void observe(Every every, std::function<void(const Experiment& run)> look);

  // One step of training, and what the observers do after it. Throws Error when training cannot go on; what
  // was measured until then is still there.
  train::StepReport step();

  bool done() const { return steps_done() >= config().train.steps; }
  void run_until(std::int64_t step);

  std::int64_t steps_done() const;
  double seconds() const;  // of training so far, observers included; those of a resumed run's past too

  const RunConfig& config() const;
  const tasks::Task& task() const;
  nn::Transformer& model();
  const nn::Transformer& model() const;
  train::Trainer& trainer();

  // Measured now, on few sequences: see probes.h.
  train::Evaluation evaluate() const;
  std::vector<interpret::HeadScores> head_scores() const;

  // What was measured along training; empty without ExperimentOptions::record.
  const std::vector<Metrics>& metrics() const;

  // Measured now, on many sequences. Throws Error before the first step.
  Results results() const;

  // Keeps every other run from writing to this folder until this one is gone. Throws Error when another has
  // it.
  void claim(const std::filesystem::path& folder);

  // Writes all that the run has made, in place of whatever run was in the folder: at any moment, whatever
  // happens, the folder holds the old run or the new one, complete. It can be resumed from there. Returns
  // what it saved as results.
  Results save(const std::filesystem::path& folder) const;

 private:
  struct Parts;
  explicit Experiment(std::unique_ptr<Parts> parts);

  std::unique_ptr<Parts> parts_;
};

}  // namespace headlight::inline HEADLIGHT_PRECISION::experiment
