#include "headlight/experiment/metrics.h"

#include <algorithm>
#include <sstream>

#include "headlight/core/files.h"
#include "json.h"

namespace headlight::inline HEADLIGHT_PRECISION::experiment {
namespace {

bool is_part(double x) { return x >= 0 && x <= 1; }
bool is_part(const std::optional<double>& x) { return !x || is_part(*x); }
bool is_loss(const std::optional<double>& x) { return !x || *x >= 0; }

bool plausible(const Metrics& m) {
  const train::Evaluation& e = m.evaluation;
  return m.step >= 0 && is_part(e.accuracy_predictable) && is_loss(e.loss) && is_loss(e.loss_predictable) &&
         is_loss(e.loss_unpredictable) && std::all_of(m.heads.begin(), m.heads.end(), [](const auto& h) {
           return std::all_of(h.values.begin(), h.values.end(), [](const auto& x) { return is_part(x); });
         });
}

// A later step, of the same heads in the same order.
bool follows(const Metrics& later, const Metrics& earlier) {
  return later.step > earlier.step &&
         std::equal(later.heads.begin(), later.heads.end(), earlier.heads.begin(), earlier.heads.end(),
                    [](const auto& a, const auto& b) { return a.at() == b.at(); });
}

Metrics metrics_from(const ordered_json& json) {
  Metrics m{json.at("step"), {}, heads_from(json.at("heads")), {}};
  m.evaluation.loss = json.at("loss");
  for (const train::EvaluationNumber& number : train::kEvaluationNumbers)
    m.evaluation.*number.value = optional_of<double>(json.at(number.key));
  if (!json.at("train_loss").is_null())
    m.report = {m.step, json.at("train_loss"), json.at("gradient_norm"), json.at("learning_rate")};
  return m;
}

}  // namespace

std::string metrics_line(const Metrics& m) {
  const train::Evaluation& e = m.evaluation;
  ordered_json line = {{"step", m.step}, {"loss", finite(e.loss, "loss")}};
  for (const train::EvaluationNumber& number : train::kEvaluationNumbers)
    line[number.key] = or_null(e.*number.value, number.key);
  line["train_loss"] = line["gradient_norm"] = line["learning_rate"] = nullptr;
  if (m.report) {
    line["train_loss"] = finite(m.report->loss, "train_loss");
    line["gradient_norm"] = finite(m.report->gradient_norm, "gradient_norm");
    line["learning_rate"] = m.report->learning_rate;
  }
  line["heads"] = heads_json(m.heads);
  return line.dump();
}

std::vector<Metrics> read_metrics(const std::filesystem::path& file) {
  std::istringstream lines(read_file(file));
  std::vector<Metrics> all;
  for (std::string line; std::getline(lines, line);) {
    const auto number = all.size() + 1;
    try {
      all.push_back(metrics_from(ordered_json::parse(line)));
    } catch (const ordered_json::exception&) {
      fail("'{}' is damaged: line {} has no metrics of a step.", file.string(), number);
    }
    check(plausible(all.back()) && (number == 1 || follows(all.back(), all[number - 2])),
          "'{}' is damaged: the metrics of line {} cannot be.", file.string(), number);
  }
  check(!all.empty(), "'{}' is empty.", file.string());
  return all;
}

}  // namespace headlight::inline HEADLIGHT_PRECISION::experiment
