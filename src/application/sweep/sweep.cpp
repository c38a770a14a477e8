#include "headlight/sweep/sweep.h"

#include <algorithm>

#include "headlight/core/thread_pool.h"
#include "headlight/run/run.h"
#include "headlight/run/run_files.h"
#include "headlight/sweep/sweep_results.h"
#include "headlight/system/files.h"
#include "headlight/system/sha256.h"
#include "shared_folder.h"
#include "sweep_watch.h"

namespace headlight::sweep {
namespace {

namespace fs = std::filesystem;

// Files that no sweep wrote are not replaced.
void check_nothing_else(const fs::path& folder, const char* what, const std::string& replaced) {
  check(
      replaced.empty(),
      "'{}' holds no {}, but '{}', which the sweep would replace. Hint: --out DIR puts the sweep elsewhere.",
      folder.string(), what, replaced);
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

Sweep::Sweep(SweepPlan plan, const fs::path& folder) : plan_(std::move(plan)), folder_(folder) {
  enter_sweep(folder_);
  for (PlannedRun& run : planned_runs(plan_)) rows_.push_back({std::move(run)});
  check_folder();
  for (const SweepRow& row : rows_)
    if (const tasks::TaskConfig& task = row.run.config.task;
        task.name == "text" && !texts_.contains(task.text))
      texts_[task.text] = text_of(make_task(row.run.config));
  for (SweepRow& row : rows_) {
    const fs::path to = folder_ / row.run.folder;
    if (!run::holds_run(to)) check_nothing_else(to, "run", run::replaced_file(to));
    row.results = saved_results(row.run);
  }
}

std::optional<run::Results> Sweep::saved_results(const PlannedRun& planned) const {
  if (!run::holds_run(folder_ / planned.folder)) return {};
  run::Run saved = saved_run(planned, run::Parts::results);
  if (saved.results.interrupted) return {};
  return std::move(saved.results);
}

run::Run Sweep::saved_run(const PlannedRun& planned, run::Parts parts) const {
  const fs::path at = folder_ / planned.folder;
  run::Run saved = run::read_run(at, parts);
  check_settings(at, saved, planned.config);
  const std::string& name = planned.config.task.text;
  if (const auto text = texts_.find(name); text != texts_.end()) check_text(at, saved, text->second, name);
  return saved;
}

void Sweep::check_folder() const {
  check(!run::holds_run(folder_),
        "'{}' holds a run, and cannot hold a sweep. Hint: --out DIR puts it elsewhere.", folder_.string());
  const std::optional<SavedSweep> saved = saved_sweep(folder_);
  if (!saved) {
    std::error_code error;
    for (const char* name : {sweep_files::kCsv, sweep_files::kFigure, sweep_files::kPage})
      check_nothing_else(folder_, "sweep", fs::exists(fs::symlink_status(folder_ / name, error)) ? name : "");
    return;
  }
  check(
      saved->plan == to_json(plan_),
      "'{}' holds another sweep. Hint: the same settings, values and seeds continue it; --out DIR puts a new "
      "one elsewhere.",
      folder_.string());
}

std::string Sweep::texts_hash() const {
  std::string hashes;
  for (const auto& [name, hash] : texts_) hashes += hash;
  return hashes.empty() ? "" : sha256(hashes);
}

bool Sweep::run(const SweepOptions& options) {
  for (SweepRow& row : rows_) row.failure.clear();
  std::optional<system::FileLock> place = join();
  SweepWatch watch(rows_, options, [&] { refresh(watch); });
  refresh(watch);
  ThreadPool pool(options.jobs);
  pool.run(std::min(static_cast<std::size_t>(pool.threads()), rows_.size()),
           [&](std::size_t) { work(options, watch); });
  const system::FileLock lock = wait_for_sweep(folder_);
  refresh(watch);  // a worker that was stopped knows all that the others have done
  write_files();
  place.reset();
  if (count_workers(folder_, names_in(folder_)) == 0) remove_leftovers(folder_);
  return watch.all_ended();
}

void Sweep::write_files() {
  const std::string json = to_json(plan_, rows_, texts_hash());
  const auto is_written = [&] {
    const fs::path file = folder_ / sweep_files::kJson;
    return system::last_written(file) != joined_ && read_file(file) == json;
  };
  if (!is_written()) {
    const draw::Figure figure = sweep_figure(plan_, rows_, folder_);
    const std::string svg = figure.charts.empty() ? "" : draw::svg_figure(figure);
    write_file(folder_ / sweep_files::kCsv, draw::csv(runs_table(plan_, rows_)));
    if (!svg.empty()) write_file(folder_ / sweep_files::kFigure, svg);
    write_file(folder_ / sweep_files::kPage, sweep_page(plan_, rows_, svg));
    write_file(folder_ / sweep_files::kJson, json);  // last: it says that the others are written
  }
  files_ = {sweep_files::kJson, sweep_files::kCsv};
  if (std::any_of(rows_.begin(), rows_.end(), [](const SweepRow& row) { return row.results; }))
    files_.emplace_back(sweep_files::kFigure);
  files_.emplace_back(sweep_files::kPage);
}

}  // namespace headlight::sweep
