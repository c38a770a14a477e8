// Experiment: a run from its config to its folder. The command line, the lessons and your own programs all
// use it. It does not print, handle signals or use the terminal.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "headlight/run/config.h"
#include "headlight/run/metrics.h"
#include "headlight/run/observer.h"
#include "headlight/run/probes.h"
#include "headlight/run/results.h"
#include "headlight/run/run_folder.h"
#include "headlight/train/history.h"

namespace headlight {
class FolderLock;
}

namespace headlight::run {

class ReplacedRun;

struct ExperimentOptions {
  int threads = 0;     // 0: all cores. Does not affect results
  bool record = true;  // record metrics and snapshots along training, as the config says; the page needs them
  std::string command = {};  // the command line, for the results
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
  // Throws Error for an invalid config. The second constructor takes your own task instead of the one that
  // the config names. Programs that have this task in tasks::registry() can load the run again.
  explicit Experiment(const RunConfig& config, const ExperimentOptions& options = {});
  Experiment(tasks::Task task, const RunConfig& config, const ExperimentOptions& options = {});

  // Continues a saved run. Its steps are, bit for bit, those of an uninterrupted run. Throws Error when the
  // folder holds no run, or one of format 1, which has no optimizer state, and as load_run() does.
  static Experiment resume(const RunFolder& folder, const ResumeOptions& options = {});

  Experiment(Experiment&&) noexcept;
  Experiment& operator=(Experiment&&) noexcept;
  ~Experiment();

  // Adds an observer. In a resumed run the observer first loads what it saved. Call this before the first
  // step.
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

  // Measures now, on few sequences: see probes.h.
  train::Evaluation evaluate() const;
  std::vector<interpret::HeadScores> head_scores() const;

  // The metrics along training; empty without ExperimentOptions::record.
  const std::vector<Metrics>& metrics() const;

  // The snapshots kept along training, with the model as it is now as the last; empty if none are kept.
  std::vector<train::Snapshot> snapshots() const;

  // Measures now, on many sequences. Throws Error before the first step.
  Results results() const;

  // Locks the folder, so that no other run writes to it while this one exists, and tries that it can be
  // replaced. Throws Error when another run has locked it, when save() could not write it, or when its file
  // system has less room than the weights take.
  void claim(const std::filesystem::path& folder);
  void claim(FolderLock lock);

  // Writes the run to the folder and replaces the run that was there. At any time, also after a crash, the
  // folder holds the complete old run or the complete new one. resume() can continue it. Returns the results
  // that it saved. All that the old run did not write, as its manifest says, is carried over; what has the
  // name of a run's file gets a "~" behind it.
  Results save(const std::filesystem::path& folder) const;

  // The same, to the claimed folder. What came there since claim() or the last save is not replaced, but gets
  // a "~" behind its name: a file with the name of a run's, a whole folder with another run, a symbolic link.
  // Throws Error when no folder is claimed.
  Results save() const;

 private:
  struct Parts;
  void restore(const RunFolder& from);
  Results save_in(const FolderLock& lock, ReplacedRun& replaced) const;
  explicit Experiment(std::unique_ptr<Parts> parts);

  std::unique_ptr<Parts> parts_;
};

}  // namespace headlight::run
