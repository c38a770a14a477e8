// The folder that a run leaves behind, and what can be read from it.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "headlight/experiment/config.h"
#include "headlight/experiment/metrics.h"
#include "headlight/experiment/results.h"
#include "headlight/train/history.h"

namespace headlight::inline HEADLIGHT_PRECISION::experiment {

// The files of a run folder by name, with what each holds. Anything else in the folder is the user's.
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
}  // namespace files
bool is_run_file(const std::string& name);  // those of older versions too

// Whether the folder holds a run: more of one than its settings.
bool holds_run(const std::filesystem::path& folder);

// A trained model with its task.
struct SavedRun {
  RunConfig config;
  tasks::Task task;
  std::unique_ptr<nn::Transformer> model;
};

// Throws Error when a file is missing or damaged, or when the weights are not those of the config's model.
SavedRun load_run(const std::filesystem::path& folder);

// The config alone.
RunConfig load_config(const std::filesystem::path& folder);

// The run as it was after `step` steps. Throws Error, naming the nearest steps, when that one was not kept.
SavedRun load_run_at(const std::filesystem::path& folder, std::int64_t step);

Results load_results(const std::filesystem::path& folder);

// The measurements along training, and the results as the last of them.
std::vector<Metrics> load_metrics(const std::filesystem::path& folder);

bool has_history(const std::filesystem::path& folder);

// The weights along training, and those of the trained model as the last moment. Throws Error when none were
// kept.
std::vector<train::Moment> load_history(const std::filesystem::path& folder);

}  // namespace headlight::inline HEADLIGHT_PRECISION::experiment
