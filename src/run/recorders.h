// The observers that every run has: its metrics and its snapshots along training.
#pragma once

#include <memory>
#include <vector>

#include "headlight/run/metrics.h"
#include "headlight/run/observer.h"
#include "headlight/train/history.h"

namespace headlight::run {

// Measures at step 0 and every evaluate_every steps.
class MetricsRecorder : public Observer {
 public:
  void start(const Experiment& run) override;
  void after(const Experiment& run, const train::StepReport& step) override;
  void save(const std::filesystem::path& folder) const override;
  void load(const std::filesystem::path& folder) override;

  const std::vector<Metrics>& metrics() const { return metrics_; }

  // Seconds of training at each measurement.
  const std::vector<double>& seconds() const { return seconds_; }

 private:
  void measure(const Experiment& run, const std::optional<train::StepReport>& report);

  std::vector<Metrics> metrics_;
  std::vector<double> seconds_;
};

// Keeps snapshots of the measured steps, as far as History has room. Must come after the MetricsRecorder.
class HistoryRecorder : public Observer {
 public:
  HistoryRecorder(std::size_t capacity, std::shared_ptr<const MetricsRecorder> measured);
  void start(const Experiment& run) override;
  void after(const Experiment& run, const train::StepReport& step) override;
  void save(const std::filesystem::path& folder) const override;
  void load(const std::filesystem::path& folder) override;

  std::vector<train::Snapshot> snapshots() const { return history_.snapshots(); }

 private:
  train::History history_;
  std::shared_ptr<const MetricsRecorder> measured_;
};

}  // namespace headlight::run
