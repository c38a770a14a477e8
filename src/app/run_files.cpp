#include "run_files.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "headlight/core/check.h"
#include "headlight/core/files.h"

namespace headlight::app {
namespace {

using nlohmann::ordered_json;

// JSON has no NaN, and the library would write null without a word.
double finite(double value, const char* what) {
  check(std::isfinite(value), "the figure '{}' is not finite.", what);
  return value;
}

ordered_json heads_json(const std::vector<interpret::HeadScores>& heads) {
  ordered_json list = ordered_json::array();
  for (const auto& h : heads) {
    ordered_json json = {{"layer", h.layer}, {"head", h.head}};
    for (const auto& kind : interpret::score_kinds()) json[kind.key] = finite(h[kind.key], kind.key);
    list.push_back(std::move(json));
  }
  return list;
}

ordered_json best_json(const std::vector<interpret::HeadScores>& heads, const char* key) {
  const auto& best = interpret::best_head(heads, key);
  return {{"layer", best.layer}, {"head", best.head}, {"score", best[key]}};
}

template <class T>
ordered_json or_null(const std::optional<T>& value) {
  return value ? ordered_json(*value) : ordered_json();
}

bool is_part(double x) { return x >= 0 && x <= 1; }

bool plausible(const Metrics& m) {
  return m.step >= 0 && is_part(m.accuracy_predictable) && m.loss >= 0 && m.loss_predictable >= 0 &&
         m.loss_unpredictable >= 0 && !m.heads.empty() &&
         std::all_of(m.heads.begin(), m.heads.end(),
                     [](const auto& h) { return std::all_of(h.values.begin(), h.values.end(), is_part); });
}

// A later step, of the same heads in the same order.
bool follows(const Metrics& later, const Metrics& earlier) {
  return later.step > earlier.step &&
         std::equal(later.heads.begin(), later.heads.end(), earlier.heads.begin(), earlier.heads.end(),
                    [](const auto& a, const auto& b) { return a.layer == b.layer && a.head == b.head; });
}

Metrics metrics_from(const ordered_json& json) {
  Metrics m{json.at("step"),
            json.at("accuracy_predictable"),
            json.at("loss"),
            json.at("loss_predictable"),
            json.at("loss_unpredictable"),
            {}};
  for (const auto& h : json.at("heads")) {
    auto& head = m.heads.emplace_back(interpret::HeadScores{h.at("layer"), h.at("head"), {}});
    for (const auto& kind : interpret::score_kinds()) head.values.push_back(h.at(kind.key));
  }
  return m;
}

}  // namespace

// A line of metrics.jsonl. Before the first step (step 0) there is no gradient yet.
void MetricsLog::add(const train::StepReport& step, const train::Evaluation& evaluation,
                     const std::vector<interpret::HeadScores>& heads, double seconds) {
  const ordered_json line = {
      {"step", step.step},
      {"seconds", seconds},
      {"accuracy_predictable", evaluation.accuracy_predictable},
      {"loss", finite(evaluation.loss, "loss")},
      {"loss_predictable", finite(evaluation.loss_predictable, "loss_predictable")},
      {"loss_unpredictable", finite(evaluation.loss_unpredictable, "loss_unpredictable")},
      {"train_loss", step.step > 0 ? ordered_json(finite(step.loss, "train_loss")) : ordered_json()},
      {"gradient_norm",
       step.step > 0 ? ordered_json(finite(step.gradient_norm, "gradient_norm")) : ordered_json()},
      {"learning_rate", step.step > 0 ? ordered_json(step.learning_rate) : ordered_json()},
      {"heads", heads_json(heads)}};
  text_ += line.dump() + "\n";
}

std::vector<Metrics> read_metrics(const std::filesystem::path& folder) {
  const auto path = folder / "metrics.jsonl";
  std::istringstream lines(read_file(path));
  std::vector<Metrics> all;
  for (std::string line; std::getline(lines, line);) {
    const auto number = all.size() + 1;
    try {
      all.push_back(metrics_from(ordered_json::parse(line)));
    } catch (const ordered_json::exception&) {
      fail("'{}' is damaged: line {} has no figures of a step.", path.string(), number);
    }
    check(plausible(all.back()) && (number == 1 || follows(all.back(), all[number - 2])),
          "'{}' is damaged: the figures of line {} cannot be.", path.string(), number);
  }
  check(!all.empty(), "'{}' is empty.", path.string());
  return all;
}

std::string summary_json(const Summary& s) {
  const ordered_json json = {{"command", s.command},
                             {"version", s.version},
                             {"task", s.task},
                             {"seed", s.seed},
                             {"steps", s.steps},
                             {"train_seconds", s.train_seconds},
                             {"tokens_per_second", s.tokens_per_second},
                             {"formed_at_step", or_null(s.formed_at_step)},
                             {"formed_at_seconds", or_null(s.formed_at_seconds)},
                             {"accuracy",
                              {{"predictable", finite(s.accuracy_predictable, "accuracy")},
                               {"held_out_period", finite(s.accuracy_held_out, "held_out_period")}}},
                             {"loss",
                              {{"first", finite(s.loss_first, "first loss")},
                               {"last", finite(s.loss_last, "last loss")},
                               {"predictable", finite(s.loss_predictable, "loss_predictable")},
                               {"unpredictable", finite(s.loss_unpredictable, "loss_unpredictable")}}},
                             {"heads", heads_json(s.heads)},
                             {"best",
                              {{interpret::kInduction, best_json(s.heads, interpret::kInduction)},
                               {interpret::kPreviousToken, best_json(s.heads, interpret::kPreviousToken)}}},
                             {"passed", s.passed},
                             {"interrupted", s.interrupted}};
  // The command may hold any bytes; what is no UTF-8 is replaced.
  return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace headlight::app
