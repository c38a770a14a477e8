// What a sweep says of its runs: tables, JSON and page, of results made by hand whose numbers all differ.
#include "headlight/sweep/sweep_results.h"

#include <nlohmann/json.hpp>

#include "catch.h"
#include "run/small_config.h"

using namespace headlight;
using namespace headlight::run;
using namespace headlight::sweep;

namespace {

using Cells = std::vector<std::string>;

SweepPlan plan_of_heads() { return {small_config(), {varied_setting("heads=1,2")}, {5, 6, 7}}; }

Results results_of(double accuracy, std::optional<double> held_out, double loss, double previous,
                   double induction, double seconds) {
  Results r;
  r.evaluation.accuracy_predictable = accuracy;
  r.accuracy_held_out = held_out;
  r.evaluation.loss = loss;
  r.heads = {{0, 0, {previous, .01, .02}}, {1, 0, {.03, .04, induction}}};
  r.train_seconds = seconds;
  r.steps = static_cast<std::int64_t>(10 * loss);
  r.passed = accuracy > .2;
  return r;
}

// Three runs that ended, then one that failed, one that diverged, and one that was not begun.
std::vector<SweepRow> rows_of(const SweepPlan& plan) {
  std::vector<SweepRow> rows;
  for (PlannedRun& run : planned_runs(plan)) rows.push_back({std::move(run)});
  rows[0].results = results_of(.1, .42, 2.5, .6, .33, 3.04);
  rows[1].results = results_of(.3, .54, 2.1, .8, .37, 1.06);
  rows[2].results = results_of(.25, .45, 2.2, .7, .31, 2);
  rows[3].failure = "It failed.";
  rows[4].results = results_of(.15, {}, 9.25, .55, .12, 4);
  rows[4].results->diverged = true;
  rows[4].results->verdict = "It diverged.";
  return rows;
}

}  // namespace

TEST_CASE("a sweep's table has the median of each number, with the least and the largest", "[sweep]") {
  const SweepPlan plan = plan_of_heads();
  const draw::Table table = combinations_table(plan, rows_of(plan));
  CHECK(table.keys == 1);
  CHECK(table.head ==
        Cells{"heads", "runs", "solved", "accuracy", "held out", "loss", "previous", "induction", "time"});
  CHECK(table.rows == std::vector<Cells>{{"1", "3/3", "2", "25.0 % (10.0 … 30.0)", "45.0 % (42.0 … 54.0)",
                                          "2.200 (2.100 … 2.500)", "0.70 (0.60 … 0.80)", "0.33 (0.31 … 0.37)",
                                          "2.0 s (1.1 … 3.0)"},
                                         {"2", "1/3", "0", "15.0 %", "-", "9.250", "0.55", "0.12", "4.0 s"}});
}

TEST_CASE("a sweep's list of runs has every digit, and why a run has no end", "[sweep]") {
  const SweepPlan plan = plan_of_heads();
  const draw::Table table = runs_table(plan, rows_of(plan));
  CHECK(table.head == Cells{"folder", "model.n_heads", "seed", "steps", "passed", "accuracy_predictable",
                            "accuracy_held_out", "loss", "previous_token", "induction", "answer",
                            "train_seconds", "reason"});
  REQUIRE(table.rows.size() == 6);
  CHECK(table.rows[1] ==
        Cells{"heads=1_seed=6", "1", "6", "21", "true", "0.3", "0.54", "2.1", "0.8", "0.37", "", "1.06", ""});
  CHECK(table.rows[3] == Cells{"heads=2_seed=5", "2", "5", "", "", "", "", "", "", "", "", "", "It failed."});
  CHECK(table.rows[4] == Cells{"heads=2_seed=6", "2", "6", "92", "false", "0.15", "", "9.25", "0.55", "0.12",
                               "", "4", "It diverged."});
  CHECK(failures_table(rows_of(plan)).head == Cells{"run", "reason"});
  CHECK(failures_table(rows_of(plan)).rows ==
        std::vector<Cells>{{"heads=2_seed=5", "It failed."}, {"heads=2_seed=6", "It diverged."}});
}

TEST_CASE("a sweep's JSON has its runs and combinations", "[sweep]") {
  const SweepPlan plan = plan_of_heads();
  const auto json = nlohmann::json::parse(to_json(plan, rows_of(plan)));
  CHECK(json["plan"]["seeds"] == nlohmann::json{5, 6, 7});
  CHECK(json["plan"]["varied"] == nlohmann::json::parse(R"({"model.n_heads": [1, 2]})"));
  CHECK(json["combinations"][0] == nlohmann::json::parse(R"({
    "settings": {"model.n_heads": "1"}, "runs": 3, "solved": 2,
    "accuracy_predictable": {"median": 0.25, "least": 0.1, "largest": 0.3},
    "accuracy_held_out": {"median": 0.45, "least": 0.42, "largest": 0.54},
    "loss": {"median": 2.2, "least": 2.1, "largest": 2.5},
    "previous_token": {"median": 0.7, "least": 0.6, "largest": 0.8},
    "induction": {"median": 0.33, "least": 0.31, "largest": 0.37},
    "train_seconds": {"median": 2.0, "least": 1.06, "largest": 3.04}})"));
  CHECK(json["combinations"][1]["runs"] == 1);
  CHECK_FALSE(json["combinations"][1].contains("accuracy_held_out"));
  CHECK(json["runs"][2] == nlohmann::json::parse(R"({
    "folder": "heads=1_seed=7", "settings": {"model.n_heads": "1"}, "seed": 7, "state": "ended", "steps": 22,
    "passed": true, "accuracy_predictable": 0.25, "accuracy_held_out": 0.45, "loss": 2.2,
    "previous_token": 0.7, "induction": 0.31, "answer": null, "train_seconds": 2.0})"));
  CHECK(json["runs"][3] == nlohmann::json::parse(R"({
    "folder": "heads=2_seed=5", "settings": {"model.n_heads": "2"}, "seed": 5, "state": "failed",
    "reason": "It failed."})"));
  CHECK(json["runs"][4]["state"] == "diverged");
  CHECK(json["runs"][4]["reason"] == "It diverged.");
  CHECK(json["runs"][5]["state"] == "not ended");
}

TEST_CASE("a sweep's page has the results, the curves, and what failed", "[sweep]") {
  const SweepPlan plan = plan_of_heads();
  std::string page = sweep_page(plan, rows_of(plan), "<svg>curves</svg>");
  CHECK(contains(page, "<h1>Headlight: a sweep of 6 runs</h1>"));
  const auto place = [&](const std::string& part) {
    INFO(part);
    CHECK(contains(page, part));
    return page.find(part);
  };
  const std::size_t
      results = place(
          "<h2>Results</h2>\n"
          "<p>Median over the seeds, with the least and the largest value in brackets. Accuracy is "
          "on predictable tokens; held out: on sequences of a kind not used in training. Loss in "
          "nats, over all targets.</p>"),
      curves = place(
          "<h2>Curves</h2>\n<p>Thin: the runs. Bold: the median of the runs with the same "
          "settings.</p>"),
      failed = place("<h2>Runs that failed or diverged</h2>");
  CHECK((results < place("25.0 % (10.0 … 30.0)") && place("25.0 % (10.0 … 30.0)") < curves));
  CHECK((curves < place("<svg>curves</svg>") && place("<svg>curves</svg>") < failed));
  CHECK(failed < place("It failed."));
  std::vector<SweepRow> rows = rows_of(plan);
  rows.resize(3);
  page = sweep_page(plan, rows, "");
  CHECK_FALSE(contains(page, "<h2>Curves"));
  CHECK_FALSE(contains(page, "<h2>Runs that"));
}
