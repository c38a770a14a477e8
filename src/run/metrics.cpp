#include "headlight/run/metrics.h"

#include <algorithm>

#include "fields.h"
#include "headlight/system/files.h"
#include "json.h"

namespace headlight::run {
namespace {

// A later step, of the same heads in the same order.
bool follows(const Metrics& later, const Metrics& earlier) {
  return later.step > earlier.step &&
         std::equal(later.heads.begin(), later.heads.end(), earlier.heads.begin(), earlier.heads.end(),
                    [](const auto& a, const auto& b) { return a.at() == b.at(); });
}

Metrics metrics_from(const Fields& line) {
  Metrics m{line.count("step"), {}, heads_from(line.objects("heads")), {}};
  m.evaluation.loss = line.measure("loss");
  m.evaluation.accuracy_predictable = line.maybe(&Fields::part, "accuracy_predictable");
  m.evaluation.loss_predictable = line.maybe(&Fields::measure, "loss_predictable");
  m.evaluation.loss_unpredictable = line.maybe(&Fields::measure, "loss_unpredictable");
  if (line.maybe(&Fields::measure, "train_loss"))
    m.report = {m.step, line.measure("train_loss"), line.measure("gradient_norm"),
                line.measure("learning_rate")};
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

std::vector<Metrics> metrics_from_lines(const std::string& text, const std::string& file) {
  std::vector<Metrics> all;
  for_each_line(text, file, [&](const Fields& line) {
    Metrics m = metrics_from(line);
    check(all.empty() || follows(m, all.back()),
          "its step or its heads do not follow those of the line before");
    all.push_back(std::move(m));
  });
  check(!all.empty(), "'{}' is empty.", file);
  return all;
}

std::vector<Metrics> read_metrics(const std::filesystem::path& file) {
  return metrics_from_lines(read_file(file, kMostMetricBytes), file.string());
}

}  // namespace headlight::run
