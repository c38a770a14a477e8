// The JSON of a run folder.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "run.h"

namespace headlight::app {

// metrics.jsonl: one line for each evaluated step.
class MetricsLog {
 public:
  void add(const train::StepReport& step, const train::Evaluation& evaluation,
           const std::vector<interpret::HeadScores>& heads, double seconds);
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// A line of metrics.jsonl, read back.
struct Metrics {
  std::int64_t step = 0;
  double accuracy_predictable = 0, loss = 0, loss_predictable = 0, loss_unpredictable = 0;
  std::vector<interpret::HeadScores> heads;
};

// All lines of a run folder's metrics.jsonl. Throws Error, naming the line, for what is no such line.
std::vector<Metrics> read_metrics(const std::filesystem::path& folder);

std::string summary_json(const Summary& summary);

}  // namespace headlight::app
