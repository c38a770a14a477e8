#include "recorders.h"

#include <algorithm>
#include <cmath>

#include "headlight/core/check.h"
#include "headlight/run/divergence.h"
#include "headlight/run/experiment.h"
#include "headlight/run/measured.h"
#include "headlight/run/own_metrics.h"
#include "headlight/run/run_files.h"

namespace headlight::run {

Metrics MetricsRecorder::measured(const Experiment& run, const std::optional<train::StepReport>& report) {
  Metrics m = run.measured();
  m.report = report;
  for (const auto& entry : own_metrics().entries()) {
    m.own.emplace_back(entry.name, entry.thing(run));
    check(std::isfinite(m.own.back().second), "the metric '{}' is not finite at step {}.", entry.name,
          m.step);
  }
  return m;
}

void MetricsRecorder::measure(const Experiment& run, const std::optional<train::StepReport>& report) {
  metrics_.push_back(measured(run, report));
  seconds_.push_back(run.seconds());
}

void MetricsRecorder::start(const Experiment& run) { measure(run, {}); }

void MetricsRecorder::after(const Experiment& run, const train::StepReport& step) {
  if (step.step % run.config().train.evaluate_every == 0) measure(run, step);
}

void MetricsRecorder::restore(const Run& from) {
  check(from.seconds.size() == from.metrics.size(), "the run has no {} for its {}.", files::kTiming,
        files::kMetrics);
  metrics_ = from.metrics;
  seconds_ = from.seconds;
  // An interrupted run was measured once more at its end. An uninterrupted one would not have been there.
  if (!metrics_.empty() && metrics_.back().step % from.config.train.evaluate_every != 0)
    metrics_.pop_back(), seconds_.pop_back();
}

SnapshotRecorder::SnapshotRecorder(std::size_t capacity, std::shared_ptr<const MetricsRecorder> measured)
    : history_(capacity), measured_(std::move(measured)) {}

void SnapshotRecorder::start(const Experiment& run) {
  history_.offer(0, run.model(), progress_of(measured_->metrics().back()));
}

void SnapshotRecorder::after(const Experiment& run, const train::StepReport& step) {
  const Metrics& last = measured_->metrics().back();
  if (last.step == step.step) history_.offer(step.step, run.model(), progress_of(last));
}

void SnapshotRecorder::restore(const Run& from) {
  if (from.snapshots.empty()) return;
  std::vector<std::vector<double>> progress;
  const auto& metrics = measured_->metrics();
  for (const train::Snapshot& snapshot : from.snapshots) {
    const auto at = std::find_if(metrics.begin(), metrics.end(),
                                 [&](const Metrics& m) { return m.step == snapshot.step; });
    check(at != metrics.end(), "{} has no metrics of step {}, of which a snapshot was kept.", files::kMetrics,
          snapshot.step);
    progress.push_back(progress_of(*at));
  }
  history_.restore(from.snapshots, std::move(progress));
}

}  // namespace headlight::run
