// Runs beside each other.
#include "headlight/studies/comparison.h"

#include "catch.h"
#include "headlight/run/experiment.h"
#include "headlight/system/files.h"
#include "run/saved.h"
#include "run/small_config.h"
#include "temporary_folder.h"

using namespace headlight;
using namespace headlight::run;
using namespace headlight::studies;

namespace {

const std::string kRepeatedText = [] {
  std::string text;
  for (int i = 0; i < 40; ++i) text += "the baker of Zorn met the miller of Quex. ";
  return text;
}();

// A saved run of a few steps.
std::filesystem::path saved_run(const std::filesystem::path& folder, RunConfig config, bool record = true) {
  config.train.steps = 2;
  config.train.evaluate_every = 1;
  config.train.history = 0;
  Experiment run(config, {.threads = 1, .record = record});
  run.run_until(2);
  save(run, folder);
  return folder;
}

}  // namespace

TEST_CASE("curves have the names of folders only where these differ", "[experiment]") {
  const TemporaryFolder folder;
  const auto a = saved_run(folder.path() / "one/a", small_config()),
             b = saved_run(folder.path() / "two/a", small_config()),
             c = saved_run(folder.path() / "b", small_config());
  const auto names = [](const std::vector<std::filesystem::path>& folders) {
    std::vector<std::string> all;
    const draw::Figure figure = comparison_figure(compared_runs(folders));
    for (const draw::Series& series : figure.charts[0].series) all.push_back(series.name);
    all.resize(folders.size());  // lines of references follow
    return all;
  };
  CHECK(names({a, c}) == std::vector<std::string>{"a", "b"});
  CHECK(names({a, b, c}) == std::vector<std::string>{a.string(), b.string(), c.string()});
}

TEST_CASE("two runs beside each other", "[experiment]") {
  const TemporaryFolder folder;
  RunConfig other = small_config();
  other.model.n_heads = 4;
  other.train.seed = 3;
  const auto a = saved_run(folder.path() / "a", small_config()), b = saved_run(folder.path() / "b", other);
  const auto runs = compared_runs({a, b / ""});
  const draw::Table settings = settings_table(runs);
  CHECK(settings.head == std::vector<std::string>{"run", "heads", "seed"});  // not the width of a head
  CHECK(settings.rows[0] == std::vector<std::string>{a.string(), "2", "0"});
  CHECK(settings.rows[1] == std::vector<std::string>{b.string(), "4", "3"});
  const draw::Table results = results_table(runs);
  CHECK(results.head == std::vector<std::string>{"run", "accuracy", "held out", "loss", "best possible",
                                                 "previous", "induction", "steps", "time", "solved"});
  CHECK(results.rows[1][1] ==
        fmt::format("{:.1f} %", 100 * *runs[1].results.evaluation.accuracy_predictable));
  CHECK(results.rows[1][3] == fmt::format("{:.3f}", runs[1].results.evaluation.loss));
  CHECK(results.rows[0].back() == "no");
  CHECK(comparison_notes(runs).empty());
  const draw::Figure figure = comparison_figure(runs);
  REQUIRE(figure.charts.size() == 5);
  for (const draw::Chart& chart : figure.charts) {
    CHECK(chart.series[0].name == "a");
    CHECK(chart.series[1].x == std::vector<double>{0, 1, 2});
  }
  CHECK(figure.charts[0].series[1].y[2] == runs[1].metrics[2].evaluation.loss);
  CHECK(figure.charts[3].y.label == "held-out loss (nats)");
  CHECK(figure.charts[3].series[0].y[1] == runs[0].metrics[1].held_out->loss);
  CHECK(figure.charts[3].series.size() == 2);  // without the best possible loss, which is of other sequences
  CHECK(figure.charts[4].y.label == "held-out accuracy");
  CHECK(figure.charts[4].series[1].y[2] == *runs[1].metrics[2].held_out->accuracy_predictable);
  const draw::Series& level = figure.charts[0].series.at(2);
  CHECK(level.name == kBestPossible);
  CHECK(level.x == std::vector<double>{0, 2});
  CHECK(level.y == std::vector<double>(2, best_possible(runs[0].results.baselines)->loss));
  CHECK(figure.charts[1].series.size() == 2);
  std::vector<ComparedRun> without = runs;  // the second run keeps its colour in charts that lack the first
  for (Metrics& m : without[0].metrics) m.heads.clear();
  const draw::Figure partly = comparison_figure(without);
  REQUIRE(partly.charts[2].series.size() == 1);
  CHECK(partly.charts[2].series[0].style == partly.charts[0].series[1].style);
  std::vector<ComparedRun> own = runs;
  own[1].metrics[1].own = {{"weight norm", 12}};
  const draw::Chart norms = comparison_figure(own).charts.at(5);
  CHECK(norms.y.label == "weight norm");
  REQUIRE(norms.series.size() == 1);
  CHECK((norms.series[0].name == "b" && norms.series[0].x == std::vector<double>{1}));
  std::vector<ComparedRun> apart = runs;
  apart[1].results.task = "copy";
  CHECK(comparison_figure(apart).charts[0].series.size() == 2);
  const std::string page = comparison_page(runs);
  for (const char* part : {"2 runs compared", "Settings that differ", "Results", "Curves", "<svg"})
    CHECK(contains(page, part));
  CHECK_FALSE(contains(page, "<script"));
  for (const ComparedRun& run : runs) CHECK(contains(page, run.name + ": " + run.results.verdict));
}

TEST_CASE("runs that share little are compared by what they share", "[experiment]") {
  const TemporaryFolder folder;
  RunConfig other = small_config();
  other.task.name = "copy";
  other.task.d_vocab = 14;
  const auto a = saved_run(folder.path() / "a", small_config()),
             b = saved_run(folder.path() / "b", other, false),
             c = saved_run(folder.path() / "x" / "a", small_config());
  const auto runs = compared_runs({a, b});
  const auto notes = comparison_notes(runs);
  REQUIRE(notes.size() == 3);
  CHECK(comparison_figure(runs).charts[0].y.label == "accuracy");
  CHECK(contains(comparison_figure(runs).title, "are not comparable, and have no chart"));
  CHECK(contains(notes[0], "different tasks (repeat, copy), so their losses are not comparable"));
  CHECK(contains(notes[1], "different sizes (12, 14)"));
  CHECK(notes[2] == fmt::format("'{}' has no metrics along its training, and so no curves.", b.string()));
  CHECK(comparison_figure(runs).charts[0].series.size() == 1);
  const auto same = compared_runs({a, c});
  CHECK(comparison_notes(same) == std::vector<std::string>{"All settings are the same."});
  CHECK(settings_table(same).head == std::vector<std::string>{"run"});
  CHECK(comparison_figure(same).charts[0].series[0].name == a.string());
  CHECK(contains(error_of([&] { comparison_figure({runs[1]}); }), "none of the 1 runs has metrics"));
}

TEST_CASE("losses that are not comparable are marked where they are the only curves", "[experiment]") {
  const TemporaryFolder folder;
  RunConfig other = small_config();
  other.task.d_vocab = 14;
  const auto a = saved_run(folder.path() / "a", small_config()), b = saved_run(folder.path() / "b", other);
  auto runs = compared_runs({a, b});
  CHECK(comparison_figure(runs).charts.size() == 3);
  for (ComparedRun& run : runs)
    for (Metrics& m : run.metrics) {
      m.evaluation.accuracy_predictable.reset();
      m.held_out->accuracy_predictable.reset();
      m.heads.clear();
    }
  const draw::Figure figure = comparison_figure(runs);
  REQUIRE(figure.charts.size() == 2);
  CHECK(figure.charts[0].y.label == "loss (nats)");
  CHECK(figure.charts[1].y.label == "held-out loss (nats)");
  CHECK(figure.title == "Losses of different tasks or vocabularies are not comparable");
}

TEST_CASE("a run on a text is compared by copied tokens", "[experiment]") {
  const TemporaryFolder folder;
  write_file(folder.path() / "text.txt", kRepeatedText);
  RunConfig text = small_config();
  text.task.name = "text";
  text.task.text = (folder.path() / "text.txt").string();
  CHECK(accuracy_tokens({text}) == "copied");
  CHECK(accuracy_tokens({small_config(), text, small_config()}) == "predictable or copied");
  const auto a = saved_run(folder.path() / "a", text), b = saved_run(folder.path() / "b", text);
  CHECK(comparison_notes(compared_runs({a, b})) ==
        std::vector<std::string>{"Accuracy is on copied tokens.", "All settings are the same."});
}

TEST_CASE("folders that cannot be compared are explained", "[experiment]") {
  const TemporaryFolder folder;
  const auto a = saved_run(folder.path() / "first", small_config());
  CHECK(contains(error_of([&] { compared_runs({a}); }), "a comparison needs at least two runs, got 1"));
  CHECK(contains(error_of([&] { compared_runs({a, folder.path() / "." / "first"}); }), "is given twice"));
  CHECK(contains(error_of([&] {
                   compared_runs({a, folder.path() / "frist"});
                 }),
                 fmt::format("frist' holds no run. Did you mean '{}'?", a.string())));
  CHECK(contains(error_of([&] {
                   compared_runs({a, folder.path()});
                 }),
                 fmt::format("holds no run. It is a folder of runs, such as '{}'.", a.string())));
}
