// Which snapshots of a run are drawn above its curves.
#include "headlight/studies/curves.h"

#include <nlohmann/json.hpp>
#include <sstream>

#include "catch.h"
#include "headlight/run/experiment.h"
#include "headlight/run/run.h"
#include "headlight/run/run_files.h"
#include "headlight/system/files.h"
#include "run/saved.h"
#include "run/small_config.h"
#include "temporary_folder.h"

using namespace headlight;
using namespace headlight::run;
using namespace headlight::studies;

namespace {

// A run of 12 steps, each measured and kept, whose accuracy is said to jump from 0 to 1 at a step.
void save_a_jump(const std::filesystem::path& folder, std::int64_t at) {
  RunConfig config = small_config();
  config.train.steps = 12;
  config.train.evaluate_every = 1;
  Experiment run(config, {.threads = 1});
  run.run_until(12);
  save(run, folder);
  std::istringstream lines(read_file(folder / files::kMetrics));
  std::string changed;
  for (std::string line; std::getline(lines, line);) {
    auto json = nlohmann::ordered_json::parse(line);
    json["accuracy_predictable"] = json["step"] < at ? 0 : 1;
    changed += json.dump() + "\n";
  }
  write_file(folder / files::kMetrics, changed);
  auto summary = nlohmann::ordered_json::parse(read_file(folder / files::kSummary));
  summary["accuracy"]["predictable"] = 1;
  write_file(folder / files::kSummary, summary.dump());
}

}  // namespace

TEST_CASE("the pictures above the curves stand where the model changes", "[experiment]") {
  const TemporaryFolder folder;
  save_a_jump(folder.path() / "run", 6);
  std::vector<double> steps;
  for (const auto& picture : curves_figure(read_run(folder.path() / "run")).strip) steps.push_back(picture.x);
  CHECK(steps == std::vector<double>{0, 5, 6, 7, 8, 12});  // the last before the jump, and the first after it
}

TEST_CASE("curves leave out what was not measured", "[experiment]") {
  Metrics first, second;
  first.evaluation.loss_predictable = 2;
  second.step = 5;
  second.evaluation.loss_predictable = 1;
  const auto charts = curves({first, second});
  REQUIRE(charts.size() == 1);
  REQUIRE(charts[0].series.size() == 1);
  CHECK(charts[0].series[0].name == "predictable");
  CHECK(charts[0].series[0].y == std::vector<double>{2, 1});
}

TEST_CASE("the pictures above the curves are of the head that is the best at the end", "[experiment]") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "run";
  save_a_jump(path, 6);
  std::string lines = read_file(path / files::kMetrics);
  auto first = nlohmann::ordered_json::parse(lines.substr(0, lines.find('\n')));
  const auto summary = nlohmann::ordered_json::parse(read_file(path / files::kSummary));
  const auto& best = summary["best"]["induction"];
  // Before training, another head of the same layer is said to be perfect.
  for (auto& head : first["heads"])
    if (head["layer"] == best["layer"] && head["head"] != best["head"]) head["induction"] = 1.0;
  write_file(path / files::kMetrics, first.dump() + lines.substr(lines.find('\n')));
  CHECK(contains(curves_figure(read_run(path)).strip_title,
                 "layer " + best["layer"].dump() + ", head " + best["head"].dump() + " looks"));
}
