#include "headlight/run/run_list.h"

#include <fmt/chrono.h>

#include <algorithm>
#include <new>

#include "headlight/run/run.h"
#include "headlight/run/run_files.h"
#include "headlight/system/file_error.h"
#include "json.h"

namespace headlight::run {
namespace {

namespace fs = std::filesystem;

// The newest file's time: a run is written as a whole, and pages may be written later.
std::optional<system::FileTime> time_of(const fs::path& folder) {
  std::error_code error;
  return system::last_written(fs::exists(folder / files::kSummary, error) ? folder / files::kSummary
                                                                          : folder);
}

bool is_run(const fs::path& folder) {
  std::error_code error;
  return fs::is_directory(folder, error) && (holds_run(folder) || fs::exists(folder / files::kConfig, error));
}

}  // namespace

ListedRun listed_run(const fs::path& folder) {
  ListedRun run{folder, time_of(folder)};
  try {
    Run saved = read_run(folder, parts::kTrained);
    run.results = std::move(saved.results);
    run.config = saved.config;
  } catch (const std::bad_alloc&) {
    run.damage = "there is not enough memory for its sizes.";
  } catch (const Error& e) {
    run.damage = e.what();
  }
  if (!run.damage.empty()) run.results.reset(), run.config.reset();
  return run;
}

std::vector<ListedRun> listed_runs(const std::vector<fs::path>& folders) {
  std::vector<ListedRun> runs;
  for (const fs::path& folder : folders) {
    std::error_code error;
    check_file(fs::is_directory(folder, error), "there is no folder '{}'.", folder.string());
    if (is_run(folder)) {
      runs.push_back(listed_run(folder));
      continue;
    }
    for (const auto& entry : fs::directory_iterator(folder, error))
      if (!entry.path().filename().string().starts_with('.') && is_run(entry.path()))
        runs.push_back(listed_run(entry.path()));
    check_file(!error, "cannot read the folder '{}': {}.", folder.string(), error.message());
  }
  std::sort(runs.begin(), runs.end(), [](const ListedRun& a, const ListedRun& b) {
    return std::pair(a.saved, a.folder) < std::pair(b.saved, b.folder);
  });
  return runs;
}

std::string flags_of(const RunConfig& config) {
  std::string flags;
  for (const auto& [part, row] : changed_settings(config)) {
    const SettingValue value = row->get(config);
    flags += (flags.empty() ? "" : " ") + row->flag;
    if (!std::holds_alternative<bool>(value)) flags += " " + to_string(value);
  }
  return flags;
}

std::optional<double> best_induction(const Results& r) {
  if (!interpret::is_scored(r.heads, interpret::kInduction)) return {};
  return interpret::best_head(r.heads, interpret::kInduction)[interpret::kInduction];
}

std::string written(std::optional<system::FileTime> time) {
  if (!time) return "unknown";
  const std::time_t seconds = std::chrono::floor<std::chrono::seconds>(*time).time_since_epoch().count();
  return fmt::format("{:%Y-%m-%d %H:%M}", fmt::localtime(seconds));
}

std::string to_json(const ListedRun& run) {
  ordered_json json{{"run", run.folder.string()}, {"saved", written(run.saved)}};
  if (run.results) {
    const Results& r = *run.results;
    json["task"] = r.task;
    json["settings"] = ordered_json::object();
    for (const auto& [part, row] : changed_settings(*run.config))
      std::visit([&, key = part + "." + row->key](const auto& x) { json["settings"][key] = x; },
                 row->get(*run.config));
    json["steps"] = r.steps;
    json["interrupted"] = r.interrupted;
    json["diverged"] = r.diverged;
    json["accuracy_predictable"] = or_null(r.evaluation.accuracy_predictable);
    json["accuracy_held_out"] = or_null(r.accuracy_held_out);
    json["loss"] = r.evaluation.loss;
    const auto best = best_possible(r.baselines);
    json["best_possible_loss"] = best ? ordered_json(best->loss) : ordered_json();
    const auto induction = best_induction(r);
    json["induction"] = or_null(induction);
    json["passed"] = r.passed;
    json["verdict"] = r.verdict;
  } else {
    json["damage"] = run.damage;
  }
  return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace headlight::run
