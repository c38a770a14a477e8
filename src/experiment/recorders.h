// The observers that every run has: what it measured, and its weights along training.
#pragma once

#include <memory>
#include <vector>

#include "headlight/experiment/metrics.h"
#include "headlight/experiment/observer.h"
#include "headlight/train/history.h"

namespace headlight::inline HEADLIGHT_PRECISION::experiment {

// Measures at step 0 and every evaluate_every steps.
class MetricsRecorder : public Observer {
 public:
  void start(const Experiment& run) override;
  void after(const Experiment& run, const train::StepReport& step) override;
  void save(const std::filesystem::path& folder) const override;
  void load(const std::filesystem::path& folder) override;

  const std::vector<Metrics>& metrics() const { return metrics_; }

  // Seconds of training at each of them.
  const std::vector<double>& seconds() const { return seconds_; }

 private:
  void measure(const Experiment& run, const std::optional<train::StepReport>& report);

  std::vector<Metrics> metrics_;
  std::vector<double> seconds_;
};

// Keeps the weights of the steps that were measured, as far as History has room. Comes after the
// MetricsRecorder.
class HistoryRecorder : public Observer {
 public:
  HistoryRecorder(std::size_t capacity, std::shared_ptr<const MetricsRecorder> measured);
  void start(const Experiment& run) override;
  void after(const Experiment& run, const train::StepReport& step) override;
  void save(const std::filesystem::path& folder) const override;
  void load(const std::filesystem::path& folder) override;

 private:
  train::History history_;
  std::shared_ptr<const MetricsRecorder> measured_;
};

}  // namespace headlight::inline HEADLIGHT_PRECISION::experiment
