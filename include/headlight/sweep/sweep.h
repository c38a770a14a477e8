// Sweep: the runs of a plan, several at once, in one folder, by one process or many.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "headlight/run/results.h"
#include "headlight/run/run.h"
#include "headlight/sweep/sweep_plan.h"
#include "headlight/system/folder.h"

namespace headlight::sweep {

// What came of a planned run: results, or why there are none.
struct SweepRow {
  PlannedRun run;
  std::optional<run::Results> results = {};  // of a run that ended, diverged or not
  std::string failure = {};                  // why training failed; empty if it did not
};

struct SweepProgress {
  std::size_t total = 0, done = 0, failed = 0;  // runs; failed ones count as done too
  double share = 0;    // of the training steps: those of runs that ended, and of this process's
  double seconds = 0;  // since run() was called
  std::optional<double> seconds_left = {};  // at the speed so far
  std::size_t workers = 1;                  // processes that work on the sweep now
};

struct SweepOptions {
  int jobs = 0;              // runs at once, each on one thread; 0: one per core. Does not affect results
  std::string command = {};  // the command line, for the results
  std::function<bool()> stop = {};  // asked after every step, from several threads; true: save and return
  std::function<void(const SweepProgress&)> look = {};  // several times a second, from one thread at a time
};

namespace sweep_files {
inline constexpr const char* kJson = "sweep.json";  // the plan, every run, and every combination
inline constexpr const char* kCsv = "sweep.csv";    // a line per run
inline constexpr const char* kFigure = "sweep.svg";
inline constexpr const char* kPage = "sweep.html";
}  // namespace sweep_files

class SweepWatch;

// The runs are in folders of their own below the sweep's folder. Each has the same bytes as the same run made
// alone, except for times and the command line.
//   Sweep sweep({.varied = {varied_setting("heads=1,2,4")}, .seeds = {0, 1, 2}}, "runs/sweep");
//   sweep.run();
// Processes with the same plan and folder, on one machine or on many that share the folder, are workers of
// one sweep: each takes runs that no other holds (FolderLock), until all have ended. The run of a worker that
// died is taken by another.
class Sweep {
 public:
  // Runs that have ended in this folder are kept. Throws Error, and changes nothing, for a plan that
  // planned_runs() refuses, for a folder with another sweep, with a run or with files that a sweep would
  // replace, and while another command writes a run to it.
  Sweep(SweepPlan plan, const std::filesystem::path& folder);

  // Trains the runs that have not ended, waits for those that other workers train, and then writes the files
  // above, unless another worker has. A run that was stopped goes on where it was. Returns false when it was
  // stopped. An Error of a run, such as a loss that is not finite, becomes its row for all workers; the next
  // sweep in the folder tries it again. Throws Error as the constructor does, and while workers with another
  // version() or another text are in the folder. Errors of the sweep's own files are thrown.
  bool run(const SweepOptions& options = {});

  const SweepPlan& plan() const { return plan_; }
  const std::filesystem::path& folder() const { return folder_; }
  const std::vector<SweepRow>& rows() const { return rows_; }

  // The names of the files that run() has written, or another worker. Without results there is no figure.
  const std::vector<std::string>& files() const { return files_; }

 private:
  void check_folder() const;
  run::Run saved_run(const PlannedRun& planned, run::Parts parts) const;
  std::optional<run::Results> saved_results(const PlannedRun& planned) const;
  std::string texts_hash() const;

  system::FileLock join();
  void work(const SweepOptions& options, SweepWatch& watch);
  bool train_next(const SweepOptions& options, SweepWatch& watch);
  bool train_if_left(SweepRow& row, const FolderLock& lock, const SweepOptions& options,
                     SweepWatch& watch) const;
  std::optional<run::Results> train(const PlannedRun& planned, const FolderLock& lock,
                                    const SweepOptions& options, SweepWatch& watch) const;
  bool end_if_saved(SweepRow& row, SweepWatch& watch) const;
  void refresh(SweepWatch& watch);
  void write_files();

  SweepPlan plan_;
  std::filesystem::path folder_;
  std::vector<SweepRow> rows_;
  std::map<std::string, std::string> texts_;  // a hash of each text as it was when the sweep began
  std::vector<std::string> files_;
  std::optional<system::FileTime> joined_;  // when sweep.json was last written before this process joined
};

}  // namespace headlight::sweep
