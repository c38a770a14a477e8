// A worker of a sweep: how it joins, takes runs, and sees what other workers have done.
#include <chrono>
#include <thread>

#include "headlight/core/check.h"
#include "headlight/core/version.h"
#include "headlight/page/run_page.h"
#include "headlight/run/experiment.h"
#include "headlight/run/run_files.h"
#include "headlight/sweep/sweep.h"
#include "headlight/sweep/sweep_results.h"
#include "headlight/system/files.h"
#include "shared_folder.h"
#include "sweep_watch.h"

namespace headlight::sweep {
namespace {

namespace fs = std::filesystem;

constexpr auto kTryAgain = std::chrono::milliseconds(500);

bool asked_to_stop(const SweepOptions& options) { return options.stop && options.stop(); }

}  // namespace

system::FileLock Sweep::join() {
  const system::FileLock lock = enter_sweep(folder_);
  check_folder();  // another sweep may have begun since this one was made
  const bool alone = count_workers(folder_, names_in(folder_)) == 0;
  if (alone) {
    remove_leftovers(folder_);
    write_file(folder_ / sweep_files::kJson, to_json(plan_, rows_, texts_hash()));
  } else {
    const SavedSweep begun = saved_sweep(folder_).value();
    check(begun.version == version(),
          "'{}' is being swept by {}, and this is {}. Hint: all workers of a sweep have the same version.",
          folder_.string(), begun.version, version());
    check(
        begun.texts == texts_hash(),
        "'{}' is being swept over another text of the same name. Hint: --out DIR puts a new sweep elsewhere.",
        folder_.string());
  }
  joined_ = system::last_written(folder_ / sweep_files::kJson);
  return take_place(folder_);
}

void Sweep::work(const SweepOptions& options, SweepWatch& watch) {
  while (!asked_to_stop(options)) {
    if (train_next(options, watch)) continue;
    if (watch.all_ended()) return;
    watch.look();
    std::this_thread::sleep_for(kTryAgain);
  }
}

// Trains a run that has not ended and that nobody has. False when there is none.
bool Sweep::train_next(const SweepOptions& options, SweepWatch& watch) {
  for (SweepRow& row : rows_) {
    if (watch.has_ended(row)) continue;
    try {
      const std::optional<FolderLock> lock = FolderLock::try_to_take(folder_ / row.run.folder);
      if (lock && train_if_left(row, *lock, options, watch)) return true;
    } catch (const std::exception& e) {
      watch.end(row, {}, e.what());
    }
  }
  return false;
}

// False when another worker has trained the run.
bool Sweep::train_if_left(SweepRow& row, const FolderLock& lock, const SweepOptions& options,
                          SweepWatch& watch) const {
  try {
    if (end_if_saved(row, watch)) return false;
    watch.begin(row);
    if (auto results = train(row.run, lock, options, watch)) watch.end(row, std::move(results), {});
  } catch (const std::exception& e) {
    watch.end(row, {}, e.what());
    write_file(failure_note(lock.folder()), e.what());
  }
  return true;
}

// The results, unless it was stopped.
std::optional<run::Results> Sweep::train(const PlannedRun& planned, const FolderLock& lock,
                                         const SweepOptions& options, SweepWatch& watch) const {
  run::Experiment run = run::holds_run(lock.folder())
                            ? run::Experiment::resume(saved_run(planned, run::parts::kAll),
                                                      {.threads = 1, .command = options.command})
                            : run::Experiment(planned.config, {.threads = 1, .command = options.command});
  if (const auto text = texts_.find(planned.config.task.text); text != texts_.end())
    check(text_of(run.task()) == text->second, "the text '{}' has changed since the sweep began.",
          text->first);
  while (!run.done() && !asked_to_stop(options)) {
    run.step();
    watch.step();
  }
  if (run.steps_done() == 0) return {};
  run::Run result = run.measure();
  Files pages;
  try {
    pages = page::pages_of(result, planned.folder, 1);
  } catch (const Error&) {  // a page can be drawn later, a run that is not saved is lost
    write_run(lock, result);
    throw;
  }
  write_run(lock, result, pages);
  if (result.results.interrupted) return {};
  return std::move(result.results);
}

bool Sweep::end_if_saved(SweepRow& row, SweepWatch& watch) const {
  const fs::path note = failure_note(folder_ / row.run.folder);
  std::error_code error;
  if (fs::exists(note, error))
    watch.end(row, {}, read_file(note));
  else if (auto results = saved_results(row.run))
    watch.end(row, std::move(results), {});
  return watch.has_ended(row);
}

void Sweep::refresh(SweepWatch& watch) {
  const std::set<std::string> names = names_in(folder_);
  watch.see_workers(count_workers(folder_, names));
  for (SweepRow& row : rows_) {
    if (watch.has_ended(row)) continue;
    if (!names.contains(row.run.folder) && !names.contains(failure_note(row.run.folder).filename().string()))
      continue;
    try {
      end_if_saved(row, watch);
    } catch (const Error&) {  // the worker that takes the run will name what is wrong
    }
  }
}

}  // namespace headlight::sweep
