// The JSON of a run folder.
#pragma once

#include <string>

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

std::string summary_json(const Summary& summary);

}  // namespace headlight::app
