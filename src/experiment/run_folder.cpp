#include "headlight/experiment/run_folder.h"

#include <algorithm>

#include "headlight/core/check.h"
#include "headlight/core/files.h"
#include "headlight/core/folder.h"
#include "headlight/tasks/text.h"
#include "headlight/train/safetensors.h"

namespace headlight::inline HEADLIGHT_PRECISION::experiment {
namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path& file) {
  std::error_code error;
  return fs::exists(file, error);
}

void require_folder(const fs::path& folder) {
  settle_folder(folder, is_run_entry);
  std::error_code error;
  check(fs::is_directory(folder, error), "there is no run '{}'. Hint: ./headlight demo makes runs/demo.",
        folder.string());
}

}  // namespace

const std::vector<RunFile>& run_files() {
  static const std::vector<RunFile> all{
      {files::kPage, "the page"},
      {files::kSummary, "the results"},
      {files::kMetrics, "loss, accuracy and the scores of all heads along training"},
      {files::kTiming, "the time at each line of them"},
      {files::kConfig, "the settings"},
      {files::kModel, "the weights, by TransformerLens's names"},
      {files::kHistory, "the weights along training"},
      {files::kOptimizer, "what the optimizer remembers"},
      {files::kState, "what else a resumed run needs"},
      {tasks::kTextFile, "the text, for a run of the task text"},
      {files::kPattern, "the pattern of the head with the highest induction score"},
      {files::kOwnTokens, "a page that shows a sequence of your own first"},
      {files::kObservers, "what observers of your own keep"}};
  return all;
}

bool is_run_file(const std::string& name) {
  constexpr const char* kPatternBefore = "induction_head.svg";  // until version 0.2
  const auto& all = run_files();
  return name == kPatternBefore || name == files::kFailed ||
         std::any_of(all.begin(), all.end(), [&](const RunFile& file) { return file.name == name; });
}

bool is_run_entry(const fs::directory_entry& entry) {
  std::error_code error;
  const std::string name = entry.path().filename().string();
  const bool folder = !entry.is_symlink(error) && entry.is_directory(error);
  return is_run_file(name) && folder == (name == files::kObservers);
}

std::string replaced_file(const fs::path& folder) {
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (const std::string name = at->path().filename().string(); name != files::kFailed && is_run_entry(*at))
      return name;
  return {};
}

bool holds_run(const fs::path& folder) {
  const auto& all = run_files();
  return std::any_of(all.begin(), all.end(), [&](const RunFile& file) {
    return std::string_view(file.name) != files::kConfig && is_there(folder / file.name);
  });
}

RunConfig load_config(const fs::path& folder) {
  require_folder(folder);
  const fs::path file = folder / files::kConfig;
  check(is_there(file), "'{}' is not a run: it has no {}.", folder.string(), files::kConfig);
  try {
    RunConfig config = run_config_from_json(read_file(file));
    config.task.folder = folder.string();
    check_config(config);
    return config;
  } catch (const Error& e) {
    fail("'{}' cannot be used: {}", file.string(), e.what());
  }
}

SavedRun load_run(const fs::path& folder) {
  const RunConfig config = load_config(folder);
  SavedRun run{config, make_task(config), nullptr};
  try {
    run.model = make_model(config, run.task);
  } catch (const Error& e) {
    fail("'{}' cannot be used: {}", (folder / files::kConfig).string(), e.what());
  }
  const fs::path weights = folder / files::kModel;
  train::set_weights(*run.model, train::load_safetensors(weights).arrays, weights.string());
  return run;
}

SavedRun load_run_at(const fs::path& folder, std::int64_t step) {
  SavedRun run = load_run(folder);
  std::vector<train::Moment> moments = load_history(folder);
  const auto at =
      std::find_if(moments.begin(), moments.end(), [&](const auto& moment) { return moment.step >= step; });
  if (at == moments.end() || at->step != step) {
    std::string nearest;
    if (at != moments.begin()) nearest = fmt::format("{}", std::prev(at)->step);
    if (at != moments.end()) nearest += fmt::format("{}{}", nearest.empty() ? "" : " and ", at->step);
    fail("the weights of step {} were not kept; the nearest kept: {}.", step, nearest);
  }
  train::set_weights(*run.model, std::move(at->weights), (folder / files::kHistory).string());
  return run;
}

Results load_results(const fs::path& folder) {
  const fs::path file = folder / files::kSummary;
  return results_from_json(read_file(file), file.string());
}

std::vector<Metrics> load_metrics(const fs::path& folder) {
  require_folder(folder);
  std::vector<Metrics> metrics = read_metrics(folder / files::kMetrics);
  const Results results = load_results(folder);
  check(metrics.back().step <= results.steps && metrics.back().heads.size() == results.heads.size(),
        "'{}' and '{}' are of different runs.", (folder / files::kMetrics).string(), files::kSummary);
  if (metrics.back().step == results.steps) metrics.pop_back();  // measured again, on more sequences
  metrics.push_back({results.steps, results.evaluation, results.heads, {}});
  return metrics;
}

bool has_history(const fs::path& folder) { return is_there(folder / files::kHistory); }

std::vector<train::Moment> load_history(const fs::path& folder) {
  check(has_history(folder),
        "'{}' has no {}: the weights along its training were not kept, as with --history 0. Hint: "
        "./headlight train --config "
        "{}/config.json --history 40 --out {} --force trains it again and keeps them.",
        folder.string(), files::kHistory, folder.string(), folder.string());
  std::vector<train::Moment> moments = train::load_moments(folder / files::kHistory);
  const std::int64_t last = load_results(folder).steps;
  if (moments.back().step < last)
    moments.push_back({last, train::load_safetensors(folder / files::kModel).arrays});
  return moments;
}

}  // namespace headlight::inline HEADLIGHT_PRECISION::experiment
