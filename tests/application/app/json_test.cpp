// What commands print for --json.
#include <fmt/core.h>

#include <map>

#include "headlight/run/evaluation_sets.h"
#include "headlight/run/run_list.h"
#include "headlight/studies/comparison.h"
#include "headlight/studies/curves.h"
#include "headlight/studies/patterns.h"
#include "headlight/studies/periods.h"
#include "headlight/tasks/batch.h"
#include "studied_run.h"

using namespace headlight;
using nlohmann::ordered_json;

namespace {

// The whole text of a command about the run, or without one, against these keys and values.
void check_json(const std::string& command, const std::string& more, ordered_json expected,
                const std::string& folders = studied().folder()) {
  const Outcome o = headlight_program(fmt::format("{} {} {} --json", command, folders, more));
  INFO(command << " " << more << "\n" << o.err);
  CHECK(o.status == 0);
  ordered_json json{{"command", command}};
  if (folders == studied().folder()) json["run"] = folders;
  json.update(expected);
  CHECK(o.out == json.dump(2) + "\n");
}

ordered_json curves_of(const std::vector<draw::Chart>& charts) {
  ordered_json curves;
  for (const draw::Chart& chart : charts)
    for (const draw::Series& series : chart.series)
      curves.push_back({{"chart", chart.y.label},
                        {"curve", series.name},
                        {"steps", std::vector<int>(series.x.begin(), series.x.end())},
                        {"values", series.y}});
  return curves;
}

ordered_json pattern_of(std::size_t layer, std::size_t head) {
  const StudiedRun& s = studied();
  const auto example = run::first_example(s.run->task, s.run->config.train.seed);
  const draw::Heatmap map = studies::pattern_map(s.model(), s.run->task, example, {layer, head}, "");
  ordered_json weights;
  for (std::size_t i = 0; i < 16; ++i)
    for (std::size_t j = 0; j < 16; ++j) weights[i].push_back(map.weights(i, j));
  return {{"stack", "self"},        {"layer", layer},   {"head", head},
          {"queries", map.queries}, {"keys", map.keys}, {"weights", weights}};
}

}  // namespace

TEST_CASE("heads --json has the scores of all heads", "[program][studies]") {
  const StudiedRun& s = studied();
  ThreadPool pool;
  ordered_json rows;
  for (const auto& h : run::EvaluationSets(s.run->task, s.run->config.train.seed)
                           .score_heads(s.model(), pool, run::Extent::full)) {
    ordered_json& row =
        rows.emplace_back(ordered_json{{"stack", "self"}, {"layer", h.layer}, {"head", h.head}});
    for (const char* key : {"previous_token", "duplicate_token", "induction", "self", "first_token"})
      row[key] = h[key];
  }
  REQUIRE(rows.size() == 4);
  check_json("heads", "", {{"heads", rows}});
}

TEST_CASE("plot --json has the weights of one head or of all", "[program][studies]") {
  check_json("plot", "--layer 1 --head 0", {{"step", 60}, {"patterns", {pattern_of(1, 0)}}});
  const ordered_json all{pattern_of(0, 0), pattern_of(0, 1), pattern_of(1, 0), pattern_of(1, 1)};
  check_json("plot", "--all", {{"step", 60}, {"patterns", all}});
  const json first = studied().numbers("plot", "--step 0 --tokens ABCABC --layer 0 --head 0");
  CHECK(first["step"] == 0);
  CHECK(first["patterns"][0]["queries"] == json({"A", "B", "C", "A", "B", "C"}));
}

TEST_CASE("curves --json has every point", "[program][studies]") {
  const run::Run& run = *studied().run;
  check_json(
      "curves", "",
      {{"curves", curves_of(studies::curves(all_metrics(run), run.results.baselines, run.task.kinds))}});
}

TEST_CASE("periods --json has every period", "[program][studies]") {
  ThreadPool pool(1);
  ordered_json rows;
  for (const auto& at : studies::accuracy_by_period(*studied().run, pool))
    rows.push_back({{"period", at.period}, {"accuracy", at.accuracy}, {"trained", at.trained}});
  REQUIRE(rows.size() == 9);
  check_json("periods", "", {{"periods", rows}});
}

TEST_CASE("compare --json has the runs as runs --json, and their curves", "[program][studies]") {
  const TemporaryFolder folder;
  const std::string a = studied().folder(), b = (folder.path() / "b").string();
  std::filesystem::copy(a, b);
  ordered_json rows = ordered_json::parse(headlight_program("runs --json " + a + " " + b).out)["runs"];
  REQUIRE(rows.size() == 2);
  for (ordered_json& row : rows) row.erase("saved");
  if (rows[0]["run"] == b) std::swap(rows[0], rows[1]);
  CHECK(rows[0]["verdict"] == studied().run->results.verdict);
  check_json("compare", "",
             {{"sentences", {"All settings are the same."}},
              {"runs", rows},
              {"curves", curves_of(studies::comparison_figure(studies::compared_runs({a, b})).charts)}},
             a + " " + b);
}

TEST_CASE("task --json has the tasks, or one with its losses and samples", "[program]") {
  ordered_json listed;
  for (const auto& entry : tasks::registry().entries())
    listed.push_back({{"task", entry.name}, {"help", entry.help}});
  check_json("task", "", {{"tasks", listed}}, "");

  const tasks::Task task = tasks::make_task({.name = "copy", .d_vocab = 12, .n_ctx = 16});
  const tasks::Sequence s = tasks::draw_sequence(task, task.training, Rng(3), 0);
  ordered_json tokens, targets, predictable;
  for (std::size_t t = 0; t < s.tokens.size(); ++t) {
    tokens.push_back(task.vocabulary.text(s.tokens[t]));
    targets.push_back(task.vocabulary.text(s.targets[t]));
    predictable.push_back(bool{s.predictable[t]});
  }
  const run::Baseline best = run::baselines(task, 256, Rng(3).stream("evaluation")).back();
  const tasks::TaskWords& w = task.words;
  check_json(
      "task", "copy --vocab 12 --context 16 --seed 3",
      {{"task", "copy"},
       {"vocabulary", 12},
       {"context", 16},
       {"trained_on", task.trained_on},
       {"sentences", {w.what, w.answer, w.success, w.look_for}},
       {"losses",
        {{{"predictor", best.name}, {"loss", best.losses.loss}, {"standard_error", best.standard_error}}}},
       {"samples",
        {{{"note", s.note}, {"tokens", tokens}, {"targets", targets}, {"predictable", predictable}}}}},
      "");
}

TEST_CASE("each study names its command and its run", "[program][studies]") {
  const std::map<std::string, std::string> studies{{"ablate", "ablation"},   {"patch", "paths"},
                                                   {"circuits", "circuits"}, {"attribute", "logit"},
                                                   {"lens", "lens"},         {"sensitivity", "sensitivity"}};
  for (const auto& [command, study] : studies) {
    const auto json = ordered_json::parse(
        studied().output(command, command == "attribute" ? "--position 12 --json" : "--json"));
    INFO(command);
    auto key = json.begin();
    CHECK((key.key() == "command" && *key == command));
    ++key;
    CHECK((key.key() == "run" && *key == studied().folder()));
    ++key;
    CHECK((key.key() == "study" && *key == study));
  }
}

TEST_CASE("the flag --json excludes the other forms of output", "[program]") {
  for (const std::string line : {"heads --csv", "plot --svg x.svg", "curves --png x.png", "periods --csv",
                                 "compare --html x.html", "ablate --csv", "task --table"})
    check_refused(line + " --json" + (line.starts_with("task") ? "" : " runs/none"), " excludes --json");
}
