#include "headlight/sweep/sweep.h"

#include <algorithm>
#include <chrono>
#include <mutex>

#include "headlight/core/thread_pool.h"
#include "headlight/page/run_page.h"
#include "headlight/run/experiment.h"
#include "headlight/run/run.h"
#include "headlight/run/run_files.h"
#include "headlight/sweep/sweep_results.h"
#include "headlight/system/files.h"
#include "headlight/system/folder.h"
#include "headlight/system/json.h"
#include "headlight/system/json_output.h"
#include "headlight/system/sha256.h"

namespace headlight::sweep {
namespace {

namespace fs = std::filesystem;
using SweepClock = std::chrono::steady_clock;

constexpr auto kLookEvery = std::chrono::milliseconds(100);

bool has_sweep(const fs::path& folder) {
  std::error_code error;
  return fs::exists(folder / sweep_files::kJson, error);
}

// Files that no sweep wrote are not replaced.
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

// A hash of the files that the task was made from.
std::string text_of(const tasks::Task& task) {
  std::string hashes;
  for (const tasks::TaskFile& file : task.files) hashes += sha256(file.content);
  return hashes;
}

// Throws Error for a run with other settings or another text. A run of the task text has kept its text under
// a name of its own, so the texts are compared, and not their names.
void check_settings(const fs::path& at, const run::Run& saved, const run::RunConfig& planned) {
  run::RunConfig config = filled_in(planned);
  if (config.task.name == "text") config.task.text = saved.config.task.text;
  check(to_json(filled_in(saved.config)) == to_json(config),
        "'{}' holds a run with other settings than this sweep's. Hint: --out DIR puts the sweep elsewhere.",
        at.string());
}

void check_text(const fs::path& at, const run::Run& saved, const std::string& text, const std::string& name) {
  check(text_of(saved.task) == text,
        "'{}' holds a run of another text than '{}'. Hint: --out DIR puts the sweep elsewhere.", at.string(),
        name);
}

}  // namespace

// The progress that the threads of a sweep share.
struct Sweep::Watch {
  Watch(SweepProgress at_first, double all_steps, const SweepOptions& options)
      : progress(at_first), steps(all_steps), look(options.look) {}

  void stepped() {
    const std::lock_guard lock(mutex);
    ++steps_done;
    if (SweepClock::now() - looked >= kLookEvery) report();
  }
  void ended(bool failed) {
    const std::lock_guard lock(mutex);
    ++progress.done;
    progress.failed += failed ? 1 : 0;
    report();
  }

  std::mutex mutex;
  SweepProgress progress;
  double steps, steps_done = 0;  // of this call of run()
  std::function<void(const SweepProgress&)> look;
  SweepClock::time_point began = SweepClock::now(), looked = began;

 private:
  void report() {
    looked = SweepClock::now();
    if (!look) return;
    progress.seconds = std::chrono::duration<double>(looked - began).count();
    progress.share = steps > 0 ? std::min(1.0, steps_done / steps) : 1;
    if (steps_done > 0) progress.seconds_left = progress.seconds * (steps - steps_done) / steps_done;
    look(progress);
  }
};

Sweep::Sweep(SweepPlan plan, const fs::path& folder)
    : plan_(std::move(plan)), folder_(folder), lock_(folder_) {
  for (PlannedRun& run : planned_runs(plan_)) rows_.push_back({std::move(run)});
  check_folder();
  for (const SweepRow& row : rows_)
    if (const tasks::TaskConfig& task = row.run.config.task;
        task.name == "text" && !texts_.contains(task.text))
      texts_[task.text] = text_of(make_task(row.run.config));
  for (SweepRow& row : rows_) {
    const fs::path to = folder_ / row.run.folder;
    if (!run::holds_run(to)) {
      check_nothing_else(to, "run", run::replaced_file(to));
      continue;
    }
    run::Run saved = saved_run(row, run::Parts::results);
    if (!saved.results.interrupted) row.results = std::move(saved.results);
  }
}

run::Run Sweep::saved_run(const SweepRow& row, run::Parts parts) const {
  const fs::path at = folder_ / row.run.folder;
  run::Run saved = run::read_run(at, parts);
  check_settings(at, saved, row.run.config);
  const std::string& name = row.run.config.task.text;
  if (const auto text = texts_.find(name); text != texts_.end()) check_text(at, saved, text->second, name);
  return saved;
}

void Sweep::check_folder() const {
  check(!run::holds_run(folder_),
        "'{}' holds a run, and cannot hold a sweep. Hint: --out DIR puts it elsewhere.", folder_.string());
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
  const FolderLock lock(folder_ / row.run.folder);  // before the run is read: nobody may replace it meanwhile
  run::Experiment run = run::holds_run(lock.folder())
                            ? run::Experiment::resume(saved_run(row, run::parts::kAll),
                                                      {.threads = 1, .command = options.command})
                            : run::Experiment(row.run.config, {.threads = 1, .command = options.command});
  if (const auto text = texts_.find(row.run.config.task.text); text != texts_.end())
    check(text_of(run.task()) == text->second, "the text '{}' has changed since the sweep began.",
          text->first);
  while (!run.done() && !stopped()) {
    run.step();
    watch.stepped();
  }
  if (run.steps_done() == 0) return;
  run::Run result = run.measure();
  Files pages;
  try {
    pages = page::pages_of(result, row.run.folder, 1);
  } catch (const Error&) {  // a page can be drawn later, a run that is not saved is lost
    write_run(lock, result);
    throw;
  }
  write_run(lock, result, pages);
  if (!result.results.interrupted) row.results = std::move(result.results);
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
