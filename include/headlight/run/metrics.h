// metrics.jsonl: the metrics along training, one line per measured step.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "headlight/interpret/scores.h"
#include "headlight/train/evaluate.h"
#include "headlight/train/trainer.h"

namespace headlight::run {

struct Metrics {
  std::int64_t step = 0;
  train::Evaluation evaluation;
  std::vector<interpret::HeadScores> heads;              // empty where heads are not scored
  std::optional<train::StepReport> report;               // of the step itself; absent before the first step
  std::optional<train::Evaluation> held_out = {};        // on sequences of the held-out kind
  std::vector<std::pair<std::string, double>> own = {};  // of own_metrics(), by name
};

// The value of an own metric at a step; absent if it was not measured.
std::optional<double> own_value(const Metrics& metrics, const std::string& name);

// The own metrics that some step has, in the order of their first.
std::vector<std::string> own_names(const std::vector<Metrics>& metrics);

// A line of JSON, without its end. Throws Error for a number that is not finite.
std::string metrics_line(const Metrics& metrics);

// All lines of such a file. Throws Error that names the line if it is damaged, if its step does not follow
// the step before, or if its heads differ from those before.
std::vector<Metrics> read_metrics(const std::filesystem::path& file);
inline constexpr std::size_t kMostMetricBytes = std::size_t{256} << 20;

// The same of a text, which messages call `file`.
std::vector<Metrics> metrics_from_lines(const std::string& text, const std::string& file);

}  // namespace headlight::run
