#include "headlight/run/run_files.h"
#include "headlight/train/weights.h"
#include "json.h"
#include "manifest.h"
#include "training_state.h"

namespace headlight::run {
namespace {

std::string timing_lines(const Run& run) {
  std::string lines;
  for (std::size_t i = 0; i < run.metrics.size(); ++i)
    lines += ordered_json{{"step", run.metrics[i].step}, {"seconds", run.seconds[i]}}.dump() + "\n";
  return lines;
}

}  // namespace

Files files_of(const Run& run) {
  Files all;
  RunConfig config = run.config;
  for (const tasks::TaskFile& file : run.task.files) {
    all[file.name] = file.content;
    config.task.text = file.name;
  }
  all[files::kConfig] = to_json(config);
  all[files::kModel] = train::to_safetensors(*run.model);
  if (!run.metrics.empty()) {
    for (const Metrics& metrics : run.metrics) all[files::kMetrics] += metrics_line(metrics) + "\n";
    all[files::kTiming] = timing_lines(run);
  }
  if (!run.snapshots.empty()) all[files::kHistory] = train::to_safetensors(run.snapshots);
  if (run.state) {
    add_state_files(all, *run.state, *run.model);
    for (const auto& [name, bytes] : run.state->observers)
      all[std::string(files::kObservers) + "/" + name] = bytes;
  }
  all[files::kSummary] = to_json(run.results);
  return all;
}

void write_run(const FolderLock& lock, const Run& run, const Files& pages) {
  Files all = files_of(run);
  all[files::kManifest] = manifest_json(manifest_of(all), all);
  all.insert(pages.begin(), pages.end());
  replace_folder(lock, all, is_run_file);
}

void write_run(const std::filesystem::path& folder, const Run& run, const Files& pages) {
  write_run(FolderLock(folder), run, pages);
}

}  // namespace headlight::run
