#include "headlight/run/run.h"

#include <algorithm>

#include "headlight/core/check.h"
#include "headlight/run/run_files.h"

namespace headlight::run {

std::vector<Metrics> all_metrics(const Run& run) {
  std::vector<Metrics> metrics = run.metrics;
  if (metrics.empty() || metrics.back().step < run.results.steps)
    metrics.push_back({run.results.steps, run.results.evaluation, run.results.heads, {}});
  return metrics;
}

std::vector<train::Snapshot> all_snapshots(const Run& run) {
  check(!run.snapshots.empty(),
        "the snapshots along this run's training were not kept, as with --history 0, or their file is gone. "
        "Hint: ./headlight train --config CONFIG --history 40 trains it again, where CONFIG is the run's "
        "config.json.");
  std::vector<train::Snapshot> snapshots = run.snapshots;
  if (snapshots.back().step < run.results.steps)
    snapshots.push_back({run.results.steps, train::weights_of(*run.model)});
  return snapshots;
}

interpret::Certificate certify(const Run& run, ThreadPool& pool) {
  std::vector<train::Snapshot> snapshots;
  if (!run.snapshots.empty()) snapshots = all_snapshots(run);
  return interpret::certify(*run.model, run.task, Rng(run.config.train.seed), pool,
                            {.snapshots = &snapshots, .all_sets = true});
}

void rewind(Run& run, std::int64_t step) {
  const std::vector<train::Snapshot> snapshots = all_snapshots(run);
  const auto at = std::find_if(snapshots.begin(), snapshots.end(),
                               [&](const train::Snapshot& snapshot) { return snapshot.step >= step; });
  if (at == snapshots.end() || at->step != step) {
    std::string nearest;
    if (at != snapshots.begin()) nearest = fmt::format("{}", std::prev(at)->step);
    if (at != snapshots.end()) nearest += fmt::format("{}{}", nearest.empty() ? "" : " and ", at->step);
    fail("the snapshot of step {} was not kept; the nearest kept: {}.", step, nearest);
  }
  train::set_weights(*run.model, at->weights, files::kHistory);
}

}  // namespace headlight::run
