#include "run_metrics.h"

#include <fmt/core.h>

#include <algorithm>

#include "headlight/run/own_metrics.h"
#include "headlight/system/text.h"

namespace headlight::page {
namespace {

using nlohmann::ordered_json;

// A baseline is a curve that has the same value at every step.
std::string line_key(std::size_t line) { return fmt::format("line_{}", line); }

// A name of the user's own cannot be taken for another key.
std::string own_key(const std::string& name) { return "own " + printable(name); }

ordered_json curve_json(const std::string& key, const std::string& name, const std::string& brief) {
  return {{"key", key}, {"name", name}, {"brief", brief}};
}

ordered_json chart_json(const std::string& title, bool share, std::vector<ordered_json> curves) {
  return {{"title", title}, {"share", share}, {"curves", std::move(curves)}};
}

ordered_json loss_chart(const tasks::TokenKinds& kinds, const std::vector<studies::LossLine>& lines) {
  std::vector<ordered_json> curves = {
      curve_json("loss_predictable", kinds.predictable + " tokens", kinds.predictable),
      curve_json("loss_unpredictable", kinds.others + " tokens", kinds.others)};
  for (std::size_t i = 0; i < lines.size(); ++i) {
    curves.push_back(curve_json(line_key(i), lines[i].name, lines[i].brief));
    curves.back()["level_of"] = lines[i].predictable ? "loss_predictable" : "loss_unpredictable";
  }
  return chart_json("Loss, in nats", false, std::move(curves));
}

}  // namespace

ordered_json metrics_json(const std::vector<run::Metrics>& metrics,
                          const std::vector<studies::LossLine>& lines, const ScoreKinds& kinds) {
  ordered_json all = ordered_json::array();
  for (const run::Metrics& m : metrics) {
    ordered_json values = ordered_json::object();
    for (const train::EvaluationNumber& number : train::kEvaluationNumbers)
      if (const auto& value = m.evaluation.*number.value) values[number.key] = *value;
    for (std::size_t i = 0; i < lines.size(); ++i) values[line_key(i)] = lines[i].value;
    for (const auto& [name, value] : m.own) values[own_key(name)] = value;
    if (m.held_out) {
      values["loss"] = m.evaluation.loss;
      values["loss_held_out"] = m.held_out->loss;
      if (const auto& accuracy = m.held_out->accuracy_predictable) values["accuracy_held_out"] = *accuracy;
    }
    all.push_back({{"step", m.step}, {"values", std::move(values)}, {"scores", heads_json(m.heads, kinds)}});
  }
  return all;
}

ordered_json charts_json(const tasks::TokenKinds& kinds, const std::vector<run::Metrics>& metrics,
                         const std::vector<studies::LossLine>& lines) {
  ordered_json charts = ordered_json::array();
  charts.push_back(loss_chart(kinds, lines));
  const std::string accuracy = "Accuracy on " + kinds.predictable + " tokens";
  if (std::any_of(metrics.begin(), metrics.end(), [](const auto& m) { return m.held_out.has_value(); })) {
    charts.push_back(chart_json(accuracy, true,
                                {curve_json("accuracy_predictable", "sequences as in training", "training"),
                                 curve_json("accuracy_held_out", "held-out sequences", "held out")}));
    charts.push_back(chart_json("Loss on all tokens, in nats", false,
                                {curve_json("loss", "sequences as in training", "training"),
                                 curve_json("loss_held_out", "held-out sequences", "held out")}));
  } else {
    charts.push_back(
        chart_json(accuracy, true, {curve_json("accuracy_predictable", "accuracy", "accuracy")}));
  }
  for (const std::string& name : own_names(metrics))
    charts.push_back(chart_json(name, false, {curve_json(own_key(name), name, name)}));
  return charts;
}

}  // namespace headlight::page
