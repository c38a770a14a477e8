#include "headlight/run/run_files.h"

#include <algorithm>
#include <string_view>

#include "headlight/tasks/text.h"

namespace headlight::run {

namespace fs = std::filesystem;

const std::vector<RunFile>& run_files() {
  static const std::vector<RunFile> all{
      {files::kPage, "the page"},
      {files::kSummary, "the results"},
      {files::kMetrics, "loss, accuracy and head scores along training"},
      {files::kTiming, "the time at each line of them"},
      {files::kConfig, "the settings"},
      {files::kModel, "the parameters, by TransformerLens's names"},
      {files::kHistory, "snapshots of the parameters along training"},
      {files::kOptimizer, "what the optimizer remembers"},
      {files::kState, "what else a resumed run needs"},
      {tasks::kTextFile, "the text, for a run of the task text"},
      {files::kPattern, "the pattern of the head with the highest induction score"},
      {files::kOwnTokens, "a page that shows a sequence of your own first"},
      {files::kObservers, "what observers of your own keep"},
      {files::kManifest, "the checksums of these files, the pages left out"}};
  return all;
}

bool is_run_file(const std::string& name) {
  constexpr const char* kPatternBefore = "induction_head.svg";  // until version 0.2
  const auto& all = run_files();
  return name == kPatternBefore || name == files::kFailed ||
         std::any_of(all.begin(), all.end(), [&](const RunFile& file) { return file.name == name; });
}

std::string replaced_file(const fs::path& folder) {
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (const std::string name = at->path().filename().string(); name != files::kFailed && is_run_file(name))
      return name;
  return {};
}

bool holds_run(const fs::path& folder) {
  const auto& all = run_files();
  return std::any_of(all.begin(), all.end(), [&](const RunFile& file) {
    const std::string_view name = file.name;  // other programs have files of these two names
    std::error_code error;
    return name != files::kConfig && name != files::kManifest && fs::exists(folder / file.name, error);
  });
}

}  // namespace headlight::run
