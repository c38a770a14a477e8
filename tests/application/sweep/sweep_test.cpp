// Several runs at once: the bits of each, stopping and going on, runs that fail.
#include "headlight/sweep/sweep.h"

#include <atomic>
#include <nlohmann/json.hpp>
#include <set>

#include "catch.h"
#include "headlight/page/run_page.h"
#include "headlight/run/experiment.h"
#include "headlight/run/run.h"
#include "headlight/run/run_files.h"
#include "headlight/run/run_list.h"
#include "headlight/sweep/sweep_results.h"
#include "headlight/system/files.h"
#include "run/saved.h"
#include "run/small_config.h"
#include "temporary_folder.h"

using namespace headlight;
using namespace headlight::run;
using namespace headlight::sweep;

namespace {

SweepPlan small_plan() {
  RunConfig base = small_config();
  base.train.steps = 6;
  base.train.evaluate_every = 3;
  base.train.history = 3;
  base.train.average = 0.5;
  return {base, {varied_setting("heads=1,2")}, {0, 1}};
}

// The files of a run that do not hold times.
std::string bytes_of(const std::filesystem::path& run) {
  std::string bytes;
  for (const char* file :
       {files::kConfig, files::kModel, files::kMetrics, files::kHistory, files::kOptimizer, files::kPattern})
    bytes += read_file(run / file);
  return bytes;
}

}  // namespace

TEST_CASE("a run of a sweep has the bytes of the same run made alone", "[sweep][long]") {
  const TemporaryFolder folder;
  Sweep sweep(small_plan(), folder.path() / "sweep");
  std::vector<SweepProgress> seen;
  CHECK(sweep.run({.jobs = 2, .look = [&](const SweepProgress& p) { seen.push_back(p); }}));
  for (const SweepRow& row : sweep.rows()) {
    REQUIRE(row.results);
    Experiment alone(row.run.config, {.threads = 2});
    alone.run_until(6);
    const Run measured = alone.measure();
    write_run(folder.path() / "alone", measured, page::pages_of(measured, row.run.folder));
    CHECK(bytes_of(folder.path() / "alone") == bytes_of(folder.path() / "sweep" / row.run.folder));
    CHECK(row.results->heads.size() == 2 * row.run.config.model.n_heads);
  }
  REQUIRE(seen.size() >= 4);
  CHECK(seen.back().done == 4);
  CHECK(seen.back().total == 4);
  CHECK(seen.back().failed == 0);
  CHECK(seen.back().share == 1);
  for (const SweepProgress& p : seen)
    if (p.seconds_left)
      CHECK(*p.seconds_left == Approx(p.seconds * (1 / p.share - 1)).epsilon(1e-9).margin(1e-9));
  for (const char* file : {"sweep.json", "sweep.csv", "sweep.svg", "sweep.html"})
    CHECK(std::filesystem::exists(folder.path() / "sweep" / file));
  CHECK(listed_runs({folder.path()}).size() == 1);  // of the runs of a sweep, none
  CHECK(listed_runs({folder.path() / "sweep"}).size() == 4);
}

TEST_CASE("a sweep that was stopped goes on where it was", "[sweep][long]") {
  const TemporaryFolder folder;
  Sweep(small_plan(), folder.path() / "whole").run({.jobs = 1});
  const auto parts = folder.path() / "parts";
  {
    std::atomic<int> asked = 0;
    Sweep stopped(small_plan(), parts);
    CHECK_FALSE(stopped.run({.jobs = 1, .stop = [&] { return ++asked > 9; }}));  // in the second run
    CHECK(stopped.rows()[0].results);
    CHECK_FALSE(stopped.rows()[1].results);
    CHECK(read_run(parts / stopped.rows()[1].run.folder, Parts::results).results.interrupted);
  }
  const auto first = parts / planned_runs(small_plan())[0].folder / files::kModel;
  const auto saved = std::filesystem::last_write_time(first);
  Sweep again(small_plan(), parts);
  CHECK(again.rows()[0].results);
  std::size_t done_at_first = 0;
  CHECK(again.run({.jobs = 2, .look = [&](const SweepProgress& p) {
                     if (done_at_first == 0) done_at_first = p.done;
                   }}));
  CHECK(done_at_first >= 1);
  CHECK(std::filesystem::last_write_time(first) == saved);
  for (const SweepRow& row : again.rows())
    CHECK(bytes_of(parts / row.run.folder) == bytes_of(folder.path() / "whole" / row.run.folder));
}

TEST_CASE("a run that fails or diverges is a row with its reason", "[sweep]") {
  const TemporaryFolder folder;
  SweepPlan plan = small_plan();
  plan.base.train.warmup = 0;
  plan.base.train.clip = 0;
  plan.base.train.average = 0;
  plan.base.train.steps = 12;
  plan.varied = {varied_setting("lr=1e-3,10,1e38")};
  Sweep sweep(plan, folder.path() / "sweep");
  SweepProgress last;
  CHECK(sweep.run({.jobs = 2, .look = [&](const SweepProgress& p) { last = p; }}));
  CHECK((last.total == 6 && last.done == 6 && last.failed == 2));
  std::string states;
  const auto json = nlohmann::json::parse(read_file(folder.path() / "sweep" / sweep_files::kJson));
  for (const auto& run : json["runs"]) states += run["state"].get<std::string>() + " ";
  CHECK(states == "ended ended diverged diverged failed failed ");
  CHECK(contains(sweep.rows()[4].failure, "training stopped at step"));
  CHECK_FALSE(std::filesystem::exists(folder.path() / "sweep" / sweep.rows()[4].run.folder));
  const draw::Table table = combinations_table(plan, sweep.rows());
  CHECK(table.rows[2] == std::vector<std::string>{"1e+38", "0/2", "0", "-", "-", "-", "-", "-", "-"});
  CHECK(table.rows[1][1] == "2/2");
  CHECK(failures_table(sweep.rows()).rows.size() == 4);
  CHECK(contains(read_file(folder.path() / "sweep" / sweep_files::kCsv), "training stopped at step"));
  CHECK(contains(read_file(folder.path() / "sweep" / sweep_files::kPage), "Runs that failed or diverged"));
  const draw::Figure figure = sweep_figure(plan, sweep.rows(), folder.path() / "sweep");
  CHECK(figure.title ==
        "lr=1e+38_seed=0 and 1 more run failed and have no curves; lr=10_seed=0 and 1 more run diverged: "
        "their curves stay below the largest value of the others");
  double largest = 0, shown = 0;
  for (std::size_t run : {0, 1})
    for (const Metrics& m : all_metrics(read_run(folder.path() / "sweep" / sweep.rows()[run].run.folder)))
      largest = std::max(largest, m.evaluation.loss);
  for (const draw::Series& s : figure.charts[0].series)
    for (const double y : s.y) shown = std::max(shown, y);
  CHECK(shown == largest);
  std::string names;  // of the medians and the best loss, with their styles, behind the four runs
  for (std::size_t i = 0; i < figure.charts[0].series.size(); ++i) {
    const draw::Series& s = figure.charts[0].series[i];
    names += s.name.empty() ? "" : s.name + "=" + std::to_string(*s.style) + " ";
    CHECK(s.name.empty() == (i < 4));
  }
  CHECK(names == "lr=0.001=0 lr=10=1 best possible=13 ");
  CHECK(figure.x.label == "step");
}

TEST_CASE("a sweep knows the files that it wrote", "[sweep]") {
  const TemporaryFolder folder;
  Sweep sweep(small_plan(), folder.path() / "sweep");
  CHECK_FALSE(sweep.run({.jobs = 1, .stop = [] { return true; }}));
  CHECK(sweep.files() == std::vector<std::string>{sweep_files::kJson, sweep_files::kCsv, sweep_files::kPage});
  CHECK_FALSE(std::filesystem::exists(folder.path() / "sweep" / sweep_files::kFigure));
  CHECK(sweep.run({.jobs = 1}));
  CHECK(sweep.files().size() == 4);
  for (const std::string& name : sweep.files())
    CHECK(std::filesystem::exists(folder.path() / "sweep" / name));
}

TEST_CASE("a folder with something else is refused, and stays as it is", "[sweep]") {
  const TemporaryFolder folder;
  const auto at = folder.path() / "sweep";
  SweepPlan plan = small_plan();
  plan.seeds = {0};
  plan.varied.clear();
  Sweep(plan, at).run({.jobs = 1});
  const std::string before = read_file(at / sweep_files::kJson);
  SweepPlan other = plan;
  other.seeds = {0, 1};
  CHECK(contains(error_of([&] { Sweep(other, at); }), "holds another sweep. Hint: "));
  CHECK(contains(error_of([&] { Sweep(plan, at / "seed=0"); }), "holds a run, and cannot hold a sweep"));
  {
    const FolderLock training(at);
    CHECK(contains(error_of([&] { Sweep(plan, at); }), "another process is writing to"));
  }
  CHECK(read_file(at / sweep_files::kJson) == before);
  const auto foreign = folder.path() / "foreign";
  Experiment run(small_plan().base, {.threads = 1});
  run.run_until(1);
  save(run, foreign / "seed=0");
  other.seeds = {0};
  other.base.train.steps = 7;
  CHECK(contains(error_of([&] { Sweep(other, foreign); }), "holds a run with other settings"));
  write_file(foreign / sweep_files::kJson, "{}");
  CHECK(contains(error_of([&] { Sweep(plan, foreign); }), "is damaged: it has no plan"));
}

TEST_CASE("a sweep over a text goes on with the same text only", "[sweep][long]") {
  const TemporaryFolder folder;
  for (const char* name : {"story.txt", "text.txt"}) {  // a run keeps its text under the second name
    const auto text = folder.path() / name, at = folder.path() / ("sweep of " + std::string(name));
    write_file(text, "the cat sat on the mat, and the dog sat on the cat; then the mat sat on the dog.");
    SweepPlan plan = small_plan();
    plan.varied.clear();
    plan.base.task = {.name = "text", .n_ctx = 16, .text = text.string()};
    CHECK(Sweep(plan, at).run({.jobs = 1}));
    CHECK(Sweep(plan, at).rows().front().results.has_value());
    write_file(text, "the dog sat on the mat, and the cat sat on the dog; then the mat sat on the cat.");
    CHECK(contains(error_of([&] { Sweep(plan, at); }),
                   "seed=0' holds a run of another text than '" + text.string() + "'. Hint: --out DIR"));
  }
}

TEST_CASE("the spread of a combination is its median, least and largest", "[sweep]") {
  const Spread odd = spread_of({5, 1, 3}), even = spread_of({4, 1, 2, 9});
  CHECK((odd.median == 3 && odd.least == 1 && odd.largest == 5 && odd.count == 3));
  CHECK(even.median == 3);
  CHECK(spread_of({}).count == 0);
}

TEST_CASE("the figure of a sweep has thin runs, and bold medians of at most twelve", "[sweep][long]") {
  const TemporaryFolder folder;
  SweepPlan plan = small_plan();
  plan.base.train.steps = 1;
  plan.base.train.evaluate_every = 1;
  plan.base.train.history = 0;
  plan.varied = {varied_setting("lr=1e-3,2e-3,3e-3,4e-3,5e-3,6e-3,7e-3,8e-3,9e-3,1e-2,2e-2,3e-2,4e-2")};
  Sweep sweep(plan, folder.path() / "sweep");
  sweep.run({.jobs = 2});
  const draw::Figure figure = sweep_figure(plan, sweep.rows(), folder.path() / "sweep");
  REQUIRE(figure.charts.size() == 5);
  std::size_t faint = 0, bold = 0;
  for (const draw::Series& series : figure.charts[0].series) {
    faint += series.weight == draw::LineWeight::faint ? 1 : 0;
    bold += series.weight == draw::LineWeight::bold ? 1 : 0;
    CHECK(series.name.empty() == (series.weight == draw::LineWeight::faint));
  }
  CHECK(faint == 26);
  CHECK(bold == 12);
  // The one without a name is the worst.
  std::vector<double> accuracy(13, 0);
  for (const SweepRow& row : sweep.rows())
    accuracy[row.run.combination] += row.results->evaluation.accuracy_predictable.value();
  for (std::size_t c = 0; c < 13; ++c) {
    const auto is_named = [&](const draw::Series& s) { return s.name == combination_names(plan)[c]; };
    const auto& all = figure.charts[0].series;
    if (std::none_of(all.begin(), all.end(), is_named))
      CHECK(accuracy[c] == *std::min_element(accuracy.begin(), accuracy.end()));
  }
  const auto& series = figure.charts[0].series;
  const draw::Series& median = series[26];
  for (std::size_t c = 0; c < 13; ++c)  // the runs of this median are beside each other
    if (median.name == combination_names(plan)[c])
      for (std::size_t i = 0; i < median.y.size(); ++i)
        CHECK(median.y[i] == (series[2 * c].y[i] + series[2 * c + 1].y[i]) / 2);
}

TEST_CASE("a sweep of a task without accuracy names the combinations of the least loss", "[sweep][long]") {
  const TemporaryFolder folder;
  SweepPlan plan = small_plan();
  plan.base.task = {.name = "markov", .n_ctx = 12, .states = 2};
  plan.base.train.steps = 2;
  plan.base.train.evaluate_every = 1;
  plan.base.train.history = 0;
  plan.seeds = {0, 1, 2};
  plan.varied = {varied_setting("lr=1e-3,2e-3,3e-3,4e-3,5e-3,6e-3,7e-3,8e-3,9e-3,1e-2,2e-2,3e-2,4e-2")};
  Sweep sweep(plan, folder.path() / "sweep");
  sweep.run({.jobs = 2});
  const draw::Figure figure = sweep_figure(plan, sweep.rows(), folder.path() / "sweep");
  std::vector<std::pair<double, std::string>> ranked;
  for (std::size_t c = 0; c < 13; ++c) {
    std::vector<double> losses;
    for (const SweepRow& row : sweep.rows())
      if (row.run.combination == c) losses.push_back(row.results->evaluation.loss);
    REQUIRE(losses.size() == 3);
    std::sort(losses.begin(), losses.end());
    ranked.emplace_back(losses[1], combination_names(plan)[c]);
  }
  std::sort(ranked.begin(), ranked.end());
  std::set<std::string> named, best{"best possible"};
  for (const draw::Series& series : figure.charts[0].series)
    if (!series.name.empty()) named.insert(series.name);
  for (std::size_t rank = 0; rank < 12; ++rank) best.insert(ranked[rank].second);
  CHECK(named == best);
}

TEST_CASE("a run that came into a sweep's folder meanwhile is not its own", "[sweep]") {
  const TemporaryFolder folder;
  const auto at = folder.path() / "sweep";
  SweepPlan plan = small_plan();
  plan.seeds = {0};
  plan.varied.clear();
  Sweep sweep(plan, at);
  RunConfig other = plan.base;
  other.train.learning_rate *= 2;
  Experiment run(other, {.threads = 1});
  run.run_until(1);
  save(run, at / "seed=0");
  sweep.run({.jobs = 1});
  CHECK(contains(sweep.rows().front().failure, "seed=0' holds a run with other settings than this sweep's"));
  CHECK(read_run(at / "seed=0", Parts::results).results.steps == 1);
}

TEST_CASE("a text that changes while a sweep runs is noticed", "[sweep]") {
  const TemporaryFolder folder;
  const auto text = folder.path() / "story.txt";
  write_file(text, "the cat sat on the mat, and the dog sat on the cat; then the mat sat on the dog.");
  SweepPlan plan = small_plan();
  plan.varied.clear();
  plan.seeds = {0};
  plan.base.task = {.name = "text", .n_ctx = 16, .text = text.string()};
  Sweep sweep(plan, folder.path() / "sweep");
  write_file(text, "the dog sat on the mat, and the cat sat on the dog; then the mat sat on the cat.");
  sweep.run({.jobs = 1});
  CHECK(contains(sweep.rows().front().failure, "story.txt' has changed since the sweep began."));
}

TEST_CASE("a sweep of many runs that is stopped begins no other", "[sweep]") {
  const TemporaryFolder folder;
  SweepPlan plan = small_plan();
  plan.seeds.clear();
  for (std::uint64_t seed = 0; seed < 50; ++seed) plan.seeds.push_back(seed);
  Sweep sweep(plan, folder.path() / "sweep");
  CHECK_FALSE(sweep.run({.jobs = 1, .stop = [] { return true; }}));
  for (const auto& entry : std::filesystem::directory_iterator(folder.path() / "sweep"))
    CHECK_FALSE(entry.is_directory());
}
