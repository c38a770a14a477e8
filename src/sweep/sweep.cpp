#include "headlight/sweep/sweep.h"

#include <algorithm>
#include <chrono>
#include <mutex>

#include "headlight/core/thread_pool.h"
#include "headlight/run/experiment.h"
#include "headlight/run/run_folder.h"
#include "headlight/sweep/sweep_results.h"
#include "headlight/system/files.h"
#include "headlight/system/folder.h"
#include "headlight/system/json.h"
#include "headlight/system/sha256.h"
#include "run/json.h"
#include "run/run_reader.h"

namespace headlight::sweep {
namespace {

namespace fs = std::filesystem;
using SweepClock = std::chrono::steady_clock;

constexpr auto kLookEvery = std::chrono::milliseconds(100);

bool has_sweep(const fs::path& folder) {
  std::error_code error;
  return fs::exists(folder / sweep_files::kJson, error);
}

// Files that are not ours are not replaced.
void check_nothing_else(const fs::path& folder, const char* what, const std::string& replaced) {
  check(
      replaced.empty(),
      "'{}' holds no {}, but '{}', which the sweep would replace. Hint: --out DIR puts the sweep elsewhere.",
      folder.string(), what, replaced);
}

std::string saved_plan(const fs::path& folder) {
  const fs::path file = folder / sweep_files::kJson;
  try {
    return json_from<ordered_json>(read_file(file)).at("plan").dump();
  } catch (const ordered_json::exception&) {
    fail("'{}' is damaged: it has no plan of a sweep.", file.string());
  } catch (const Error& e) {
    fail("'{}' is damaged: {}.", file.string(), e.what());
  }
}

// The settings of a run of this sweep. A run of the task text has kept its text under a name of its own, so
// the texts are compared, and not their names.
run::RunConfig saved_config(const run::RunFolder& at, const run::RunConfig& planned) {
  run::RunConfig saved = load_config(at);
  if (saved.task.name != "text" || planned.task.name != "text") return saved;
  for (const tasks::TaskFile& file : make_task(planned).files)
    check(run::RunReader(at).read(file.name, kMostBytes) == file.content,
          "'{}' holds a run of another text than '{}'. Hint: --out DIR puts the sweep elsewhere.",
          at.path.string(), planned.task.text);
  saved.task.text = planned.task.text;
  return saved;
}

void check_settings(const run::RunFolder& at, const run::RunConfig& planned) {
  check(to_json(saved_config(at, planned)) == to_json(filled_in(planned)),
        "'{}' holds a run with other settings than this sweep's. Hint: --out DIR puts the sweep elsewhere.",
        at.path.string());
}

// A hash of the files that the task was made from.
std::string text_of(const tasks::Task& task) {
  std::string hashes;
  for (const tasks::TaskFile& file : task.files) hashes += sha256(file.content);
  return hashes;
}

}  // namespace

// The progress that the threads of a sweep share.
struct Sweep::Watch {
  Watch(SweepProgress at_first, double all_steps, const SweepOptions& options)
      : progress(at_first), steps(all_steps), look(options.look) {}

  void stepped() {
    const std::lock_guard lock(mutex);
    ++steps_done;
    if (SweepClock::now() - looked >= kLookEvery) tell();
  }
  void ended(bool failed) {
    const std::lock_guard lock(mutex);
    ++progress.done;
    progress.failed += failed ? 1 : 0;
    tell();
  }

  std::mutex mutex;
  SweepProgress progress;
  double steps, steps_done = 0;  // of this call of run()
  std::function<void(const SweepProgress&)> look;
  SweepClock::time_point began = SweepClock::now(), looked = began;

 private:
  void tell() {
    looked = SweepClock::now();
    if (!look) return;
    progress.seconds = std::chrono::duration<double>(looked - began).count();
    progress.share = steps > 0 ? std::min(1.0, steps_done / steps) : 1;
    if (steps_done > 0) progress.seconds_left = progress.seconds * (steps - steps_done) / steps_done;
    look(progress);
  }
};

Sweep::Sweep(SweepPlan plan, const run::RunFolder& folder, const std::string& command)
    : plan_(std::move(plan)), folder_(folder.path), trusted_(folder.trusted), lock_(folder_, command) {
  for (PlannedRun& run : planned_runs(plan_)) rows_.push_back({std::move(run)});
  check_folder();
  for (const SweepRow& row : rows_)
    if (const tasks::TaskConfig& task = row.run.config.task;
        task.name == "text" && !texts_.contains(task.text))
      texts_[task.text] = text_of(make_task(row.run.config));
  for (SweepRow& row : rows_) {
    const fs::path to = folder_ / row.run.folder;
    if (!holds_run(to)) {
      check_nothing_else(to, "run", replaced_file(to));
      continue;
    }
    const run::RunFolder at(to, trusted_);
    check_settings(at, row.run.config);
    remove_abandoned_lock(to);
    if (run::Results results = load_results(at); !results.interrupted) row.results = std::move(results);
  }
}

void Sweep::check_folder() const {
  for (const char* name : {sweep_files::kJson, sweep_files::kCsv, sweep_files::kFigure, sweep_files::kPage})
    check(!fs::is_symlink(folder_ / name),
          "'{}' is a link, and no file of the sweep. Hint: delete it, or --out DIR puts the sweep elsewhere.",
          (folder_ / name).string());
  check(!holds_run(folder_), "'{}' holds a run, and cannot hold a sweep. Hint: --out DIR puts it elsewhere.",
        folder_.string());
  if (!has_sweep(folder_)) {
    std::error_code error;
    for (const char* name : {sweep_files::kCsv, sweep_files::kFigure, sweep_files::kPage})
      check_nothing_else(folder_, "sweep", fs::exists(fs::symlink_status(folder_ / name, error)) ? name : "");
    return;
  }
  check(
      saved_plan(folder_) == to_json(plan_),
      "'{}' holds another sweep. Hint: the same settings, values and seeds continue it; --out DIR puts a new "
      "one elsewhere.",
      folder_.string());
}

void Sweep::train(SweepRow& row, const SweepOptions& options, Watch& watch) const {
  const auto stopped = [&] { return options.stop && options.stop(); };
  if (stopped()) return;
  const fs::path to = folder_ / row.run.folder;
  FolderLock lock(to, options.command);  // before the run is read: nobody may replace it meanwhile
  const run::RunFolder at(to, trusted_);
  if (holds_run(to)) check_settings(at, row.run.config);
  run::Experiment run = holds_run(to)
                            ? run::Experiment::resume(at, {.threads = 1, .command = options.command})
                            : run::Experiment(row.run.config, {.threads = 1, .command = options.command});
  if (const auto text = texts_.find(row.run.config.task.text); text != texts_.end())
    check(text_of(run.task()) == text->second, "the text '{}' has changed since the sweep began.",
          text->first);
  run.claim(std::move(lock));
  while (!run.done() && !stopped()) {
    run.step();
    watch.stepped();
  }
  if (run.steps_done() == 0) return;
  if (run::Results results = run.save(); !results.interrupted) row.results = std::move(results);
}

bool Sweep::run(const SweepOptions& options) {
  std::vector<SweepRow*> pending;
  double steps = 0;
  for (SweepRow& row : rows_) {
    row.failure.clear();
    if (row.results) continue;
    pending.push_back(&row);
    steps += static_cast<double>(row.run.config.train.steps);
  }
  write_file(folder_ / sweep_files::kJson, to_json(plan_, rows_));  // from now on the folder is this sweep's
  Watch watch({.total = rows_.size(), .done = rows_.size() - pending.size()}, steps, options);
  ThreadPool pool(options.jobs);
  pool.run(pending.size(), [&](std::size_t i) {
    SweepRow& row = *pending[i];
    try {
      train(row, options, watch);
    } catch (const std::exception& e) {
      row.failure = e.what();
    }
    if (row.results || !row.failure.empty()) watch.ended(!row.failure.empty());
  });
  write_files();
  return std::all_of(rows_.begin(), rows_.end(),
                     [](const SweepRow& row) { return row.results || !row.failure.empty(); });
}

void Sweep::write_files() {
  files_.clear();
  const auto write = [&](const char* name, const std::string& bytes) {
    write_file(folder_ / name, bytes);
    files_.emplace_back(name);
  };
  const draw::Figure figure = sweep_figure(plan_, rows_, folder_);
  const std::string svg = figure.charts.empty() ? "" : draw::svg_figure(figure);
  write(sweep_files::kJson, to_json(plan_, rows_));
  write(sweep_files::kCsv, draw::csv(runs_table(plan_, rows_)));
  if (!svg.empty()) write(sweep_files::kFigure, svg);
  write(sweep_files::kPage, sweep_page(plan_, rows_, svg));
}

}  // namespace headlight::sweep
