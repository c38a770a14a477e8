#include "headlight/run/metrics.h"

#include <algorithm>

#include "fields.h"
#include "headlight/run/own_metrics.h"
#include "headlight/system/file_error.h"
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

// The numbers of an evaluation, beside others in a line or in an object of their own.
void read_evaluation(const Fields& fields, train::Evaluation& e) {
  e.loss = fields.measure("loss");
  e.accuracy_predictable = fields.maybe(&Fields::part, "accuracy_predictable");
  e.loss_predictable = fields.maybe(&Fields::measure, "loss_predictable");
  e.loss_unpredictable = fields.maybe(&Fields::measure, "loss_unpredictable");
}

void write_evaluation(ordered_json& json, const train::Evaluation& e) {
  json["loss"] = finite(e.loss, "loss");
  for (const train::EvaluationNumber& number : train::kEvaluationNumbers)
    json[number.key] = or_null(e.*number.value, number.key);
}

Metrics metrics_from(const Fields& line) {
  Metrics m{line.count("step"), {}, heads_from(line.objects("heads")), {}};
  read_evaluation(line, m.evaluation);
  if (line.has("held_out")) read_evaluation(line.object("held_out"), m.held_out.emplace());
  if (line.has("own")) m.own = line.object("own").numbers();
  if (line.maybe(&Fields::measure, "train_loss"))
    m.report = {m.step, line.measure("train_loss"), line.measure("gradient_norm"),
                line.measure("learning_rate")};
  return m;
}

}  // namespace

std::string metrics_line(const Metrics& m) {
  ordered_json line = {{"step", m.step}};
  write_evaluation(line, m.evaluation);
  if (m.held_out) write_evaluation(line["held_out"], *m.held_out);
  for (const auto& [name, value] : m.own) line["own"][name] = finite(value, name.c_str());
  line["train_loss"] = line["gradient_norm"] = line["learning_rate"] = nullptr;
  if (m.report) {
    line["train_loss"] = finite(m.report->loss, "train_loss");
    line["gradient_norm"] = finite(m.report->gradient_norm, "gradient_norm");
    line["learning_rate"] = m.report->learning_rate;
  }
  line["heads"] = heads_json(m.heads);
  return line.dump();
}

Registry<MeasureRun>& own_metrics() {
  static Registry<MeasureRun> all("metric", {});
  return all;
}

std::optional<double> own_value(const Metrics& metrics, const std::string& name) {
  for (const auto& [own, value] : metrics.own)
    if (own == name) return value;
  return {};
}

std::vector<std::string> own_names(const std::vector<Metrics>& metrics) {
  std::vector<std::string> names;
  for (const Metrics& m : metrics)
    for (const auto& [name, value] : m.own)
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  return names;
}

std::vector<Metrics> metrics_from_lines(const std::string& text, const std::string& file) {
  std::vector<Metrics> all;
  for_each_line(text, file, [&](const Fields& line) {
    Metrics m = metrics_from(line);
    check(all.empty() || follows(m, all.back()),
          "its step or its heads do not follow those of the line before");
    all.push_back(std::move(m));
  });
  check_file(!all.empty(), "'{}' is empty.", file);
  return all;
}

std::vector<Metrics> read_metrics(const std::filesystem::path& file) {
  return metrics_from_lines(read_file(file, kMostMetricBytes), file.string());
}

}  // namespace headlight::run
