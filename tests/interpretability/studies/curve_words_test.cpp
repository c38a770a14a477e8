// Curves, charts and tables of runs that are filled by hand: what stands where, and how it is called.
#include "catch.h"
#include "headlight/interpret/scores.h"
#include "headlight/run/run.h"
#include "headlight/studies/comparison.h"
#include "headlight/studies/curves.h"
#include "headlight/studies/patterns.h"
#include "headlight/studies/periods.h"

using namespace headlight;
using namespace headlight::studies;
using interpret::HeadScores;

namespace {

using Numbers = std::vector<double>;
using Names = std::vector<std::string>;

Names names_of(const draw::Chart& chart) {
  Names names;
  for (const draw::Series& series : chart.series) names.push_back(series.name);
  return names;
}

// previous, duplicate, induction, self, first, answer
HeadScores scored(std::size_t layer, std::size_t head, double previous, double duplicate, double induction,
                  double answer) {
  return {layer, head, {previous, duplicate, induction, 0.01, 0.02, answer}};
}

run::Metrics metrics_at(std::int64_t step, double shift) {
  run::Metrics m;
  m.step = step;
  m.evaluation = {3 - shift, 0.1 + shift, 2 - shift, 4 - shift};
  m.heads = {scored(0, 0, 0.2 + shift, 0.9, 0.11, 0.12), scored(1, 1, 0.13, 0.14, 0.3 + shift, 0.4 + shift)};
  return m;
}

std::vector<run::Baseline> baselines() {
  run::Baseline unigrams, best;
  unigrams.name = "unigrams of the text", unigrams.losses = {2.5, {}, 2.2, 2.9};
  best.name = run::kBestPossible, best.losses = {1.5, {}, 0.1, 2.8};
  return {unigrams, best};
}

}  // namespace

TEST_CASE("the curves of a run: their names, axes and numbers", "[studies][words]") {
  const auto charts = curves({metrics_at(0, 0), metrics_at(7, 0.25)}, baselines());
  REQUIRE(charts.size() == 2);
  CHECK(charts[0].x.label == "step");
  CHECK(charts[0].y.label == "loss (nats)");
  CHECK(charts[0].y.first == 0.0);
  CHECK(names_of(charts[0]) == Names{"predictable", "unpredictable", "unigrams of the text, predictable",
                                     "unigrams of the text, unpredictable", "best predictor, predictable",
                                     "best predictor, unpredictable"});
  const std::vector<Numbers> losses{{2, 1.75}, {4, 3.75}, {2.2, 2.2}, {2.9, 2.9}, {0.1, 0.1}, {2.8, 2.8}};
  const std::vector<std::size_t> styles{0, 1, 2, 3, 4, 6};
  for (std::size_t i = 0; i < losses.size(); ++i) {
    CHECK(charts[0].series[i].x == Numbers{0, 7});
    CHECK(charts[0].series[i].y == losses[i]);
    CHECK(draw::style_of(charts[0], i) == styles[i]);
  }
  CHECK(charts[1].y.label == "accuracy, best score");
  CHECK((charts[1].y.first == 0.0 && charts[1].y.last == 1.0));
  CHECK(names_of(charts[1]) == Names{"accuracy", "previous token", "induction", "answer"});
  CHECK(charts[1].series[0].y == Numbers{0.1, 0.35});
  CHECK(charts[1].series[1].y == Numbers{0.2, 0.45});
  CHECK(charts[1].series[2].y == Numbers{0.3, 0.55});
  CHECK(charts[1].series[3].y == Numbers{0.4, 0.65});
}

TEST_CASE("the curves of held-out sequences and of own metrics", "[studies][words]") {
  std::vector<run::Metrics> metrics{metrics_at(0, 0), metrics_at(7, 0.25)};
  metrics[0].held_out = {3.5, 0.05, 2.5, 4.5};
  metrics[1].held_out = {3.25, 0.15, 2.25, 4.25};
  metrics[0].own = {{"weight norm", 12}};
  metrics[1].own = {{"weight norm", 13}, {"later", -1}};
  const auto charts = curves(metrics);
  REQUIRE(charts.size() == 5);
  CHECK(names_of(charts[1]) == Names{"accuracy", "held out", "previous token", "induction", "answer"});
  CHECK(charts[1].series[1].y == Numbers{0.05, 0.15});
  CHECK(charts[2].y.label == "loss on all tokens");
  CHECK(names_of(charts[2]) == Names{"held out", "as in training"});
  CHECK(charts[2].series[0].y == Numbers{3.5, 3.25});
  CHECK(charts[2].series[1].y == Numbers{3, 2.75});
  CHECK(charts[3].y.label == "weight norm");
  CHECK(names_of(charts[3]) == Names{"weight norm"});
  CHECK(charts[3].series[0].y == Numbers{12, 13});
  CHECK(charts[4].series[0].x == Numbers{7});
  CHECK(charts[4].series[0].y == Numbers{-1});
}

TEST_CASE("the levels of a loss by their names", "[studies][words]") {
  std::vector<run::Baseline> known = baselines();
  known[0].losses.loss_unpredictable = 2.8;  // as the best possible one, which it would hide
  const auto lines = loss_lines(known, {"copied", "new"});
  REQUIRE(lines.size() == 3);
  CHECK(lines[0].name == "unigrams of the text, copied");
  CHECK(lines[0].brief == "unigrams");
  CHECK((lines[0].value == 2.2 && lines[0].predictable));
  CHECK(lines[1].name == "best predictor, copied");
  CHECK(lines[1].brief == "best predictor");
  CHECK((lines[1].value == 0.1 && lines[1].predictable));
  CHECK(lines[2].name == "best predictor, new");
  CHECK((lines[2].value == 2.8 && !lines[2].predictable));
  known[0].losses.loss_predictable.reset();
  CHECK(loss_lines({known[0]})[0].name == "unigrams of the text");
}

TEST_CASE("the figure of curves says what it shows", "[studies][words]") {
  run::RunConfig config;
  run::Run run{config, run::make_task(config)};
  run.metrics = {metrics_at(0, 0)};
  const auto title = [&](const HeadScores& head) {
    run.results.heads = {head};
    run.results.steps = 40;
    run.results.evaluation.loss = 1;
    return curves_figure(run).title;
  };
  CHECK(title(scored(1, 0, 0.9, 0.9, 0.5, 0.1)) == "An attention head learns where to look");
  CHECK(title(scored(1, 0, 0.9, 0.9, 0.1, 0.5)) == "An attention head learns where to look");
  CHECK(title(scored(1, 0, 0.9, 0.9, 0.49, 0.49)) == "Training, without an induction head");
  CHECK(title({1, 0, {0.9}}) == "Training");
  CHECK(curves_figure(run).x.label == "step");
  CHECK(curves_figure(run).x.last == 40.0);
}

TEST_CASE("the head that is shown first, and its title", "[studies][words]") {
  const std::vector<HeadScores> heads{scored(0, 0, 0.95, 0.9, 0.2, 0.1), scored(0, 1, 0.1, 0.1, 0.7, 0.3),
                                      scored(1, 0, 0.1, 0.2, 0.3, 0.6)};
  CHECK(head_to_show_first(heads) == interpret::HeadAt{0, 1});
  std::vector<HeadScores> answering = heads;
  answering[2].values[5] = 0.75;
  CHECK(head_to_show_first(answering) == interpret::HeadAt{1, 0});
  CHECK(head_to_show_first({{2, 3, {0.5}}}) == interpret::HeadAt{});
  CHECK(pattern_title(heads, {0, 1}) == "Layer 0, head 1: induction head, score 0.70");
  CHECK(pattern_title(heads, {1, 0}) == "Layer 1, head 0: answer head, score 0.60");
  CHECK(pattern_title(heads, {1, 1}) == "Layer 1, head 1");
}

TEST_CASE("a table of results has each number in its own column", "[studies][words]") {
  ComparedRun a;
  a.name = "runs/a";
  a.results.evaluation = {1.2345, 0.876, 0.5, 2};
  a.results.accuracy_held_out = 0.765;
  a.results.baselines = baselines();
  a.results.heads = metrics_at(0, 0.25).heads;
  a.results.steps = 420, a.results.train_seconds = 3.26, a.results.passed = true;
  ComparedRun b = a;
  b.name = "runs/b";
  b.results.accuracy_held_out.reset(), b.results.evaluation.accuracy_predictable.reset();
  b.results.baselines.clear(), b.results.heads = {{0, 0, {0.31}}};
  b.results.diverged = true;
  ComparedRun c = a;
  c.results.passed = false;
  const draw::Table table = results_table({a, b, c});
  CHECK(table.head == Names{"run", "accuracy", "held out", "loss", "best possible", "previous", "induction",
                            "answer", "steps", "time", "solved"});
  CHECK(table.rows[0] ==
        Names{"runs/a", "87.6 %", "76.5 %", "1.234", "1.500", "0.45", "0.55", "0.65", "420", "3.3 s", "yes"});
  CHECK(table.rows[1] ==
        Names{"runs/b", "-", "-", "1.234", "-", "0.31", "-", "-", "420", "3.3 s", "diverged"});
  CHECK(table.rows[2].back() == "no");
  a.metrics = {metrics_at(0, 0), metrics_at(5, 0.25)};
  b.metrics = a.metrics;
  b.results.baselines = baselines();
  const auto levels = [&](double loss) {
    b.results.baselines[1].losses.loss = loss;
    return comparison_figure({a, b}).charts[0].series.size() - 2;
  };
  CHECK(levels(1.54) == 1);  // seeds measure it on their own sequences
  CHECK(levels(1.56) == 0);
  const draw::Figure figure = comparison_figure({a, b});
  CHECK(figure.x.label == "step");
  REQUIRE(figure.charts.size() == 3);
  CHECK(figure.charts[0].y.label == "loss (nats)");
  CHECK(figure.charts[0].series[0].y == Numbers{3, 2.75});
  CHECK(figure.charts[1].y.label == "accuracy");
  CHECK(figure.charts[1].series[0].y == Numbers{0.1, 0.35});
  CHECK(figure.charts[2].y.label == "best induction");
  CHECK(figure.charts[2].series[0].y == Numbers{0.3, 0.55});
}

TEST_CASE("accuracy by period as a table, and the axes of its chart", "[studies][words]") {
  const std::vector<PeriodAccuracy> measured{{4, 0.25, false}, {5, 0.5, true}};
  const draw::Table table = periods_table(measured);
  CHECK(table.head == Names{"period", "accuracy", "trained"});
  CHECK(table.rows == std::vector<Names>{{"4", "0.25", "0"}, {"5", "0.5", "1"}});
  const draw::Chart chart = periods_chart(measured);
  CHECK(chart.x.label == "period (tokens in a segment)");
  CHECK(chart.y.label == "accuracy");
  CHECK((chart.y.first == 0.0 && chart.y.last == 1.0));
}
