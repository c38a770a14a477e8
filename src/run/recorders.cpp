#include "recorders.h"

#include <algorithm>

#include "fields.h"
#include "headlight/run/divergence.h"
#include "headlight/run/experiment.h"
#include "headlight/run/run_folder.h"
#include "headlight/system/files.h"
#include "json.h"

namespace headlight::run {
namespace {

// The progress of the model: snapshots are kept where these metrics change.
std::vector<double> progress_of(const Metrics& m) {
  std::vector<double> progress{m.evaluation.accuracy_predictable.value_or(0)};
  for (const auto& head : m.heads)
    for (const std::optional<double>& value : head.values)
      if (value) progress.push_back(*value);
  return progress;
}

}  // namespace

void MetricsRecorder::measure(const Experiment& run, const std::optional<train::StepReport>& report) {
  const train::Evaluation evaluation = run.evaluate();
  check_finite(evaluation, run.steps_done(), run.config());
  metrics_.push_back({run.steps_done(), evaluation, run.head_scores(), report});
  seconds_.push_back(run.seconds());
}

void MetricsRecorder::start(const Experiment& run) { measure(run, {}); }

void MetricsRecorder::after(const Experiment& run, const train::StepReport& step) {
  if (step.step % run.config().train.evaluate_every == 0) measure(run, step);
}

void MetricsRecorder::save(const std::filesystem::path& folder) const {
  std::string lines, times;
  for (std::size_t i = 0; i < metrics_.size(); ++i) {
    lines += metrics_line(metrics_[i]) + "\n";
    times += ordered_json{{"step", metrics_[i].step}, {"seconds", seconds_[i]}}.dump() + "\n";
  }
  write_file(folder / files::kMetrics, lines);
  write_file(folder / files::kTiming, times);
}

void MetricsRecorder::load(const std::filesystem::path& folder) {
  metrics_ = read_metrics(folder / files::kMetrics);
  seconds_.clear();
  const auto file = folder / files::kTiming;
  for_each_line(read_file(file, kMostMetricBytes), file.string(), [&](const Fields& line) {
    check(seconds_.size() < metrics_.size() && line.count("step") == metrics_[seconds_.size()].step,
          "{} has no metrics of its step", files::kMetrics);
    seconds_.push_back(line.time("seconds"));
  });
  check(seconds_.size() == metrics_.size(), "'{}' and {} are of different runs.", file.string(),
        files::kMetrics);
}

HistoryRecorder::HistoryRecorder(std::size_t capacity, std::shared_ptr<const MetricsRecorder> measured)
    : history_(capacity), measured_(std::move(measured)) {}

void HistoryRecorder::start(const Experiment& run) {
  history_.offer(0, run.model(), progress_of(measured_->metrics().back()));
}

void HistoryRecorder::after(const Experiment& run, const train::StepReport& step) {
  const Metrics& last = measured_->metrics().back();
  if (last.step == step.step) history_.offer(step.step, run.model(), progress_of(last));
}

void HistoryRecorder::save(const std::filesystem::path& folder) const {
  history_.save(folder / files::kHistory);
}

void HistoryRecorder::load(const std::filesystem::path& folder) {
  std::error_code error;
  if (!std::filesystem::exists(folder / files::kHistory, error)) return;
  std::vector<train::Snapshot> snapshots = train::load_snapshots(folder / files::kHistory);
  std::vector<std::vector<double>> progress;
  const auto& metrics = measured_->metrics();
  for (const train::Snapshot& snapshot : snapshots) {
    const auto at = std::find_if(metrics.begin(), metrics.end(),
                                 [&](const Metrics& m) { return m.step == snapshot.step; });
    check(at != metrics.end(), "'{}' has no metrics of step {}, whose weights were kept.",
          (folder / files::kMetrics).string(), snapshot.step);
    progress.push_back(progress_of(*at));
    check(progress.back().size() == progress.front().size(),
          "'{}' has other scores at step {} than at step {}.", (folder / files::kMetrics).string(),
          snapshot.step, snapshots.front().step);
  }
  history_.restore(std::move(snapshots), std::move(progress));
}

}  // namespace headlight::run
