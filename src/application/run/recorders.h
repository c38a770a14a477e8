// The observers that every run has: its metrics and its snapshots along training.
#pragma once

#include <memory>
#include <vector>

#include "headlight/run/metrics.h"
#include "headlight/run/observer.h"
#include "headlight/run/run.h"
#include "headlight/train/history.h"

namespace headlight::run {

// Measures at step 0 and every evaluate_every steps.
class MetricsRecorder : public Observer {
 public:
  void start(const Experiment& run) override;
  void after(const Experiment& run, const train::StepReport& step) override;

  // Goes on after the metrics of a saved run.
  void restore(const Run& from);

  const std::vector<Metrics>& metrics() const { return metrics_; }

  // What the model is now, on the sequences of every measurement.
  static Metrics measured(const Experiment& run, const std::optional<train::StepReport>& report);

  // Seconds of training at each measurement.
  const std::vector<double>& seconds() const { return seconds_; }

 private:
  void measure(const Experiment& run, const std::optional<train::StepReport>& report);

  std::vector<Metrics> metrics_;
  std::vector<double> seconds_;
};

// Keeps snapshots of the measured steps, as far as History has room. Must come after the MetricsRecorder.
class SnapshotRecorder : public Observer {
 public:
  SnapshotRecorder(std::size_t capacity, std::shared_ptr<const MetricsRecorder> measured);
  void start(const Experiment& run) override;
  void after(const Experiment& run, const train::StepReport& step) override;

  // Goes on after the snapshots of a saved run. Throws Error for a snapshot of a step without metrics.
  void restore(const Run& from);

  std::vector<train::Snapshot> snapshots() const { return history_.snapshots(); }

 private:
  train::History history_;
  std::shared_ptr<const MetricsRecorder> measured_;
};

}  // namespace headlight::run
