// metrics.jsonl: what was measured along training, a line for each measured step.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "headlight/interpret/scores.h"
#include "headlight/train/evaluate.h"
#include "headlight/train/trainer.h"

namespace headlight::inline HEADLIGHT_PRECISION::experiment {

struct Metrics {
  std::int64_t step = 0;
  train::Evaluation evaluation;
  std::vector<interpret::HeadScores> heads;  // none where heads are not scored
  std::optional<train::StepReport> report;   // of the step itself; nothing before the first
};

// A line of JSON, without its end. Throws Error for a number that is not finite.
std::string metrics_line(const Metrics& metrics);

// All lines of such a file. Throws Error, naming the line, for what is no such line, a step that does not
// follow the one before, or heads that are others than before.
std::vector<Metrics> read_metrics(const std::filesystem::path& file);

}  // namespace headlight::inline HEADLIGHT_PRECISION::experiment
