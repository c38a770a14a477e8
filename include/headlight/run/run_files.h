// The files of a run's folder. All other files in it are the user's.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace headlight::run {

// Each with its name and content.
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
inline constexpr const char* kFailed = "failed_metrics.jsonl";  // of a run that could not go on
}  // namespace files

// Whether a saved run replaces the file or folder of this name; those of older versions too.
bool is_run_file(const std::string& name);

// The name of a file that a run saved in this folder would replace; empty if there is none. What a failed run
// left does not count.
std::string replaced_file(const std::filesystem::path& folder);

// Whether the folder holds a run: more of one than its settings.
bool holds_run(const std::filesystem::path& folder);

}  // namespace headlight::run
