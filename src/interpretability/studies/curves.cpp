#include "headlight/studies/curves.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "headlight/run/examples.h"
#include "headlight/run/run.h"
#include "headlight/run/run_files.h"
#include "headlight/studies/head_table.h"
#include "headlight/studies/patterns.h"

namespace headlight::studies {
namespace {

constexpr std::size_t kSnapshots = 6;
constexpr const char* kHeldOut = "held out";

// Styles of levels: after those of the two losses, without the one that has no dashes.
constexpr std::size_t kFirstLevel = 2, kUndashed = 5;

// A metric that a measurement may have.
using Number = std::function<std::optional<double>(const run::Metrics&)>;

Number best(const char* score) {
  return [score](const run::Metrics& m) -> std::optional<double> {
    if (!interpret::is_scored(m.heads, score)) return {};
    return interpret::best_head(m.heads, score)[score];
  };
}

Number evaluated(std::optional<double> train::Evaluation::*member) {
  return [member](const run::Metrics& m) { return m.evaluation.*member; };
}

// Adds the series of a metric, if it has values.
void add_series(std::vector<draw::Series>& all, const std::string& name,
                const std::vector<run::Metrics>& metrics, const Number& number) {
  draw::Series s{name, {}, {}};
  for (const run::Metrics& m : metrics) {
    const std::optional<double> value = number(m);
    if (!value) continue;
    s.x.push_back(static_cast<double>(m.step));
    s.y.push_back(*value);
  }
  if (!s.x.empty()) all.push_back(std::move(s));
}

double change(const Number& number, const run::Metrics& a, const run::Metrics& b) {
  return std::abs(number(b).value_or(0) - number(a).value_or(0));
}

template <class Value>
Number held_out(Value train::Evaluation::*member) {
  return [member](const run::Metrics& m) -> std::optional<double> {
    if (!m.held_out) return {};
    return (*m.held_out).*member;
  };
}

// The losses on all tokens of sequences as in training and of the held-out kind, whose distance is what was
// learned by heart.
draw::Chart held_out_chart(const std::vector<run::Metrics>& metrics, const draw::Axis& step) {
  draw::Chart chart{"", step, {"loss on all tokens", false, 0.0}, {}};
  add_series(chart.series, kHeldOut, metrics, held_out(&train::Evaluation::loss));
  if (!chart.series.empty())
    add_series(chart.series, "as in training", metrics,
               [](const run::Metrics& m) { return std::optional(m.evaluation.loss); });
  return chart;
}

// The progress of the run at a step: it grows with time, and much faster while accuracy and the induction
// score change. Snapshots at equal distances of progress show when the model changes.
std::vector<double> progress_at(const std::vector<run::Metrics>& metrics,
                                const std::vector<train::Snapshot>& snapshots) {
  const auto last = static_cast<double>(std::max<std::int64_t>(metrics.back().step, 1));
  const Number accuracy = evaluated(&train::Evaluation::accuracy_predictable),
               induction = best(interpret::kInduction);
  std::vector<double> progress;
  for (const train::Snapshot& snapshot : snapshots) {
    double way = 0.5 * static_cast<double>(snapshot.step) / last;
    for (std::size_t i = 1; i < metrics.size() && metrics[i].step <= snapshot.step; ++i)
      way += change(accuracy, metrics[i - 1], metrics[i]) + change(induction, metrics[i - 1], metrics[i]);
    progress.push_back(way);
  }
  return progress;
}

// Indices of the snapshots closest to equal distances, each once, with the first and the last.
std::vector<std::size_t> chosen_snapshots(const std::vector<double>& progress) {
  std::vector<std::size_t> chosen;
  const std::size_t count = std::min(kSnapshots, progress.size());
  for (std::size_t k = 0; k < count; ++k) {
    const double t = count == 1 ? 1 : static_cast<double>(k) / static_cast<double>(count - 1);
    const double target = progress.front() + t * (progress.back() - progress.front());
    // Leave enough snapshots for the later distances.
    std::size_t nearest = chosen.empty() ? 0 : chosen.back() + 1;
    for (std::size_t i = nearest; i < progress.size() - (count - 1 - k); ++i)
      if (std::abs(progress[i] - target) < std::abs(progress[nearest] - target)) nearest = i;
    chosen.push_back(nearest);
  }
  return chosen;
}

// The patterns along training of the head that a reader wants to see first.
void add_strip(draw::Figure& figure, const run::Run& run, const std::vector<run::Metrics>& metrics) {
  if (run.snapshots.empty() || run.results.heads.empty()) return;
  std::vector<train::Snapshot> snapshots = all_snapshots(run);
  const std::unique_ptr<nn::Transformer> model = make_model(run.config, run.task);
  const run::Example example = run::first_example(run.task, run.config.train.seed);
  const interpret::HeadAt head = head_to_show_first(run.results.heads);
  for (const std::size_t i : chosen_snapshots(progress_at(metrics, snapshots))) {
    train::set_weights(*model, std::move(snapshots[i].weights), run::files::kHistory);
    figure.strip.push_back(
        {static_cast<double>(snapshots[i].step),
         pattern_map(*model, run.task, example, head, fmt::format("step {}", snapshots[i].step))});
  }
  figure.strip_title =
      fmt::format("Where {} looks: row = query, column = key, brighter = more", interpret::head_words(head));
}

std::string title_of(const std::vector<interpret::HeadScores>& heads) {
  const bool answers =
      interpret::is_scored(heads, interpret::kAnswer) &&
      interpret::best_head(heads, interpret::kAnswer)[interpret::kAnswer] >= interpret::kFoundScore;
  if (answers || run::induction_head_found(heads)) return "An attention head learns where to look";
  return interpret::is_scored(heads, interpret::kInduction) ? "Training, without an induction head"
                                                            : "Training";
}

}  // namespace

std::vector<LossLine> loss_lines(const std::vector<run::Baseline>& baselines,
                                 const tasks::TokenKinds& kinds) {
  const std::optional<train::Evaluation> best = best_possible(baselines);
  std::vector<LossLine> lines;
  const auto add = [&](const run::Baseline& y, const std::string& of,
                       std::optional<double> train::Evaluation::*part) {
    const std::optional<double>& value = y.losses.*part;
    const bool is_best = y.name == run::kBestPossible;
    if (!value || (!is_best && best && value == *best.*part)) return;  // it would hide the best one
    const bool only = !y.losses.loss_predictable || !y.losses.loss_unpredictable;
    // What predicts best on the whole need not be best at a part.
    const std::string name = is_best && !only ? "best predictor" : y.name,
                      brief = is_best ? name : y.name.substr(0, y.name.find(' '));
    lines.push_back(
        {name + (only ? "" : ", " + of), brief, *value, part == &train::Evaluation::loss_predictable});
  };
  for (const run::Baseline& y : baselines) {
    add(y, kinds.predictable, &train::Evaluation::loss_predictable);
    add(y, kinds.others, &train::Evaluation::loss_unpredictable);
  }
  return lines;
}

std::vector<draw::Chart> curves(const std::vector<run::Metrics>& metrics,
                                const std::vector<run::Baseline>& baselines, const tasks::TokenKinds& kinds) {
  const draw::Axis step{"step"};
  draw::Chart loss{"", step, {"loss (nats)", false, 0.0}, {}};
  add_series(loss.series, kinds.predictable, metrics, evaluated(&train::Evaluation::loss_predictable));
  add_series(loss.series, kinds.others, metrics, evaluated(&train::Evaluation::loss_unpredictable));
  std::size_t style = kFirstLevel;
  for (const LossLine& line : loss_lines(baselines, kinds)) {
    if (loss.series.empty()) break;
    const std::vector<double>& steps = loss.series[0].x;
    loss.series.push_back({line.name, {steps.front(), steps.back()}, {line.value, line.value}});
    loss.series.back().style = style++;
    if (style == kUndashed) ++style;
  }
  draw::Chart parts{"", step, {"accuracy, best score", false, 0.0, 1.0}, {}};
  add_series(parts.series, "accuracy", metrics, evaluated(&train::Evaluation::accuracy_predictable));
  add_series(parts.series, kHeldOut, metrics, held_out(&train::Evaluation::accuracy_predictable));
  for (const interpret::ScoreKind& kind : interpret::score_kinds())
    if (kind.charted) add_series(parts.series, kind.name, metrics, best(kind.key));
  if (std::none_of(metrics.begin(), metrics.end(), [](const auto& m) { return !m.heads.empty(); }))
    parts.y.label = "accuracy";
  std::vector<draw::Chart> charts{loss, parts, held_out_chart(metrics, step)};
  for (const std::string& name : run::own_names(metrics)) {
    charts.push_back({"", step, {name}, {}});
    add_series(charts.back().series, name, metrics,
               [&](const run::Metrics& m) { return run::own_value(m, name); });
  }
  std::erase_if(charts, [](const draw::Chart& chart) { return chart.series.empty(); });
  return charts;
}

draw::Figure curves_figure(const run::Run& run) {
  const std::vector<run::Metrics> metrics = all_metrics(run);
  draw::Figure figure{title_of(run.results.heads),
                      {"step", false, 0.0},
                      "",
                      {},
                      curves(metrics, run.results.baselines, run.task.kinds)};
  figure.x.last = static_cast<double>(std::max<std::int64_t>(metrics.back().step, 1));
  add_strip(figure, run, metrics);
  return figure;
}

}  // namespace headlight::studies
