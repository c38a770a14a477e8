#include "headlight/studies/compared_curves.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "headlight/interpret/scores.h"

namespace headlight::studies {
namespace {

// Grey, and dashed.
constexpr std::size_t kLevelStyle = 13;
constexpr double kSameLevel = 0.05;  // nats

}  // namespace

std::vector<ComparedCurve> compared_curves(const std::vector<const std::vector<run::Metrics>*>& runs) {
  std::vector<ComparedCurve> all{
      {{"loss (nats)", false, 0.0},
       [](const run::Metrics& m) { return std::optional(m.evaluation.loss); },
       true,
       true},
      {{"accuracy", false, 0.0, 1.0},
       [](const run::Metrics& m) { return m.evaluation.accuracy_predictable; }},
      {{"best induction", false, 0.0, 1.0},
       [](const run::Metrics& m) -> std::optional<double> {
         if (!interpret::is_scored(m.heads, interpret::kInduction)) return {};
         return interpret::best_head(m.heads, interpret::kInduction)[interpret::kInduction];
       }},
      {{"held-out loss (nats)", false, 0.0},
       [](const run::Metrics& m) -> std::optional<double> {
         if (!m.held_out) return {};
         return m.held_out->loss;
       },
       true},
      {{"held-out accuracy", false, 0.0, 1.0}, [](const run::Metrics& m) -> std::optional<double> {
         return m.held_out ? m.held_out->accuracy_predictable : std::nullopt;
       }}};
  std::set<std::string> own;
  for (const std::vector<run::Metrics>* metrics : runs)
    for (const std::string& name : run::own_names(*metrics))
      if (own.insert(name).second)
        all.push_back({{name}, [name](const run::Metrics& m) { return own_value(m, name); }});
  return all;
}

std::optional<draw::Series> best_level(const ComparedCurve& curve,
                                       const std::vector<const run::Results*>& runs,
                                       const std::vector<draw::Series>& series) {
  if (!curve.has_best) return {};
  std::optional<double> level;
  for (const run::Results* run : runs) {
    const std::optional<train::Evaluation> best = best_possible(run->baselines);
    // Seeds measure it on sequences of their own; another task is further away.
    if (!best || run->task != runs.front()->task || (level && std::abs(*level - best->loss) > kSameLevel))
      return {};
    if (!level) level = best->loss;
  }
  double first = std::numeric_limits<double>::infinity(), last = -first;
  for (const draw::Series& s : series)
    if (!s.x.empty()) first = std::min(first, s.x.front()), last = std::max(last, s.x.back());
  if (!level || first > last) return {};
  return draw::Series{run::kBestPossible,       {first, last}, {*level, *level}, false,
                      draw::LineWeight::normal, kLevelStyle};
}

draw::Series series_of(const std::string& name, const std::vector<run::Metrics>& metrics,
                       const ComparedCurve& curve) {
  draw::Series series{name, {}, {}};
  for (const run::Metrics& m : metrics)
    if (const std::optional<double> value = curve.value(m)) {
      series.x.push_back(static_cast<double>(m.step));
      series.y.push_back(*value);
    }
  return series;
}

void leave_out_losses(draw::Figure& figure, const std::vector<run::RunConfig>& configs) {
  const bool comparable = std::all_of(configs.begin(), configs.end(), [&](const run::RunConfig& config) {
    return config.task.name == configs.front().task.name &&
           config.task.d_vocab == configs.front().task.d_vocab;
  });
  const std::vector<ComparedCurve> curves = compared_curves({});
  const auto is_loss = [&](const draw::Chart& chart) {
    return std::any_of(curves.begin(), curves.end(), [&](const ComparedCurve& curve) {
      return curve.loss && curve.y.label == chart.y.label;
    });
  };
  if (comparable || std::none_of(figure.charts.begin(), figure.charts.end(), is_loss)) return;
  const bool only = std::all_of(figure.charts.begin(), figure.charts.end(), is_loss);
  if (!only) std::erase_if(figure.charts, is_loss);
  figure.title +=
      fmt::format("{} of different tasks or vocabularies are not comparable{}",
                  figure.title.empty() ? "Losses" : "; losses", only ? "" : ", and have no chart");
}

}  // namespace headlight::studies
