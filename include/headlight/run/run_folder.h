// The folder of a run, and functions that read it.
#pragma once

#include <concepts>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "headlight/run/config.h"
#include "headlight/run/metrics.h"
#include "headlight/run/results.h"
#include "headlight/train/history.h"

namespace headlight::run {

class FirstManifest;  // the manifest that was read first
std::shared_ptr<FirstManifest> no_manifest_yet();

// Where a run is. Every function that reads a run takes a folder's path for it. The run's manifest.json says
// which bytes the run wrote, and a file with others is refused, unless the folder is trusted: somebody edited
// it on purpose. All numbers must be in their ranges all the same.
//
// A RunFolder and its copies read one save of the run: once the run was saved anew, the functions throw Error
// rather than mix two saves. Another RunFolder reads the new one.
struct RunFolder {
  RunFolder() = default;
  template <class Path>
  requires std::convertible_to<const Path&, std::filesystem::path> RunFolder(const Path& folder,
                                                                             bool trust = false)
      : path(folder), trusted(trust) {}

  std::filesystem::path path;
  bool trusted = false;
  std::shared_ptr<FirstManifest> first = no_manifest_yet();
};

// The files of a run folder, each with its name and content. All other files in the folder are the user's.
struct RunFile {
  const char* name;
  const char* help;
};
const std::vector<RunFile>& run_files();
namespace files {
inline constexpr const char* kPage = "report.html";
inline constexpr const char* kSummary = "summary.json";
inline constexpr const char* kMetrics = "metrics.jsonl";
inline constexpr const char* kTiming = "timing.jsonl";
inline constexpr const char* kConfig = "config.json";
inline constexpr const char* kModel = "model.safetensors";
inline constexpr const char* kHistory = "history.safetensors";
inline constexpr const char* kOptimizer = "optimizer.safetensors";
inline constexpr const char* kState = "state.json";
inline constexpr const char* kPattern = "best_head.svg";
inline constexpr const char* kOwnTokens = "report-tokens.html";
inline constexpr const char* kObservers = "observers";
inline constexpr const char* kManifest = "manifest.json";
inline constexpr const char* kFailed =
    "failed_metrics.jsonl";  // of a run that could not go on; no run's file
}  // namespace files
bool is_run_file(const std::string& name);  // those of older versions too

// Whether a run that is saved in the entry's folder may replace the entry, as far as its name tells. A folder
// with the name of a run's file stays, and so does a failed_metrics.jsonl that holds no metrics.
bool is_run_entry(const std::filesystem::directory_entry& entry);

// The name of a file that a run saved in this folder would replace; empty if there is none. What a failed run
// left does not count.
std::string replaced_file(const std::filesystem::path& folder);

// Whether the folder holds a run: more of one than its settings.
bool holds_run(const std::filesystem::path& folder);

// A trained model with its task.
struct SavedRun {
  RunConfig config;
  tasks::Task task;
  std::unique_ptr<nn::Transformer> model;
};

// Throws Error when a file is missing, damaged or not the one that the run wrote, when a number is out of its
// range, or when files do not fit each other, as weights another model than the config's. So do the functions
// below.
SavedRun load_run(const RunFolder& folder);

// Whether these are all heads of such a model, in the order of its attention layers.
bool are_heads_of(const std::vector<interpret::HeadScores>& scores, const nn::TransformerConfig& config);

// The config alone.
RunConfig load_config(const RunFolder& folder);

// The run after `step` steps. Throws Error that names the nearest steps if there is no snapshot of this step.
SavedRun load_run_at(const RunFolder& folder, std::int64_t step);

Results load_results(const RunFolder& folder);

// The metrics along training, with the results as the last entry.
std::vector<Metrics> load_metrics(const RunFolder& folder);

bool has_history(const RunFolder& folder);

// The snapshots along training, with the trained model as the last one. Throws Error if none were kept.
std::vector<train::Snapshot> load_history(const RunFolder& folder);

}  // namespace headlight::run
