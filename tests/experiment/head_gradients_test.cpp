// Gradients of heads, from a run folder to tables and JSON.
#include "headlight/experiment/head_gradients.h"

#include <nlohmann/json.hpp>

#include "catch.h"
#include "experiment/small_config.h"
#include "headlight/experiment/experiment.h"
#include "temporary_folder.h"

using namespace headlight;
using namespace headlight::experiment;

namespace {

// A run of 6 steps with every step kept.
void save_short_run(const std::filesystem::path& folder) {
  RunConfig config = small_config();
  config.train.steps = 6;
  config.train.evaluate_every = 2;
  Experiment run(config, {.threads = 1});
  run.run_until(6);
  run.save(folder);
}

}  // namespace

TEST_CASE("a run folder gives the gradient norms of its snapshots", "[head_gradients]") {
  const TemporaryFolder folder;
  save_short_run(folder.path() / "run");
  const NormsOfRun norms = gradient_norms_of_run(folder.path() / "run", {.count = 9, .threads = 2});
  const auto moments = load_history(folder.path() / "run");
  REQUIRE(norms.moments.size() == moments.size());
  CHECK(norms.over == interpret::LossOver::predictable);
  CHECK(norms.moments.front().step == 0);
  CHECK(norms.moments.back().step == 6);
  const SavedRun run = load_run(folder.path() / "run");  // the trained weights are the last snapshot
  ThreadPool pool(1);
  const auto last = interpret::head_gradient_norms(*run.model, gradient_batch(run, 9), pool);
  CHECK(norms.moments.back().heads[3].W_V == last.heads[3].W_V);

  const report::Table table = norms_table(norms);
  CHECK(report::csv(table).starts_with("step,loss,layer,head,stack,W_Q,W_K,W_V,W_O,parameters,z\n0,"));
  REQUIRE(table.rows.size() == 4 * moments.size());
  CHECK(table.rows.back()[2] == "1");
  CHECK(table.rows.back()[3] == "1");
  CHECK(std::stod(table.rows.back()[7]) == last.heads[3].W_V);

  const auto json = nlohmann::json::parse(norms_json(norms, 0.25));
  CHECK(json["loss_over"] == "predictable");
  CHECK(json["sequences"] == 9);
  CHECK(json["fraction"] == 0.25);
  CHECK(json["moments"].back()["heads"][3]["W_V"] == last.heads[3].W_V);
  CHECK(json["starts"].size() == 4);
  CHECK(json["starts"][2]["layer"] == 1);
}

TEST_CASE("starts are listed with the first at the front", "[head_gradients]") {
  const report::Table table = starts_table({{{0, 1}, {}, 0, 0}, {{1, 0}, 40, 0.12345678, 90}});
  REQUIRE(table.rows.size() == 2);
  CHECK(table.rows[0] == std::vector<std::string>{"L1H0", "40", "0.123457", "90"});
  CHECK(table.rows[1] == std::vector<std::string>{"L0H1", "never", "0", "0"});
}

TEST_CASE("a run folder gives the effects of replaced heads", "[head_gradients]") {
  const TemporaryFolder folder;
  save_short_run(folder.path() / "run");
  const auto path = folder.path() / "run";
  const SavedRun run = load_run(path);
  const tasks::Batch batch = gradient_batch(run, 9);
  ThreadPool pool(1);
  const auto z = interpret::head_outputs(*run.model, batch, pool);
  for (const auto& [name, replacement] :
       {std::pair{"zero", interpret::zero_outputs(z)}, std::pair{"mean", interpret::mean_outputs(z)}}) {
    const PatchesOfRun patches = patches_of_run(path, name, true, {.count = 9, .threads = 2});
    const auto expected = interpret::patch_heads(*run.model, batch, replacement, pool);
    CHECK(patches.both.actual.heads[2].effect == expected.heads[2].effect);
    CHECK(patches_table(patches).rows.size() == 4 + 4 * 16);
    CHECK(patches_table(patches).rows[4 + 16][3] == "0");
    const auto json = nlohmann::json::parse(patches_json(patches));
    CHECK(json["replacement"] == name);
    CHECK(json["heads"][2]["true"] == expected.heads[2].effect);
    CHECK(json["heads"][2]["estimated"] == patches.both.estimated.heads[2].effect);
    CHECK(json["heads"][0]["true_at"].size() == 16);
    CHECK(json["correlation"] == *patches.both.correlation);
  }
  const PatchesOfRun resampled = patches_of_run(path, "resample", false, {.count = 9});
  CHECK(resampled.both.actual.heads[0].effect != 0);
  CHECK_FALSE(nlohmann::json::parse(patches_json(resampled))["heads"][0].contains("true_at"));
  CHECK(error_of([&] { (void)patches_of_run(path, "means"); }) ==
        "unknown replacement 'means': expected zero, mean or resample. Did you mean 'mean'?");
}

TEST_CASE("a run folder gives the curvature of its heads", "[head_gradients]") {
  const TemporaryFolder folder;
  save_short_run(folder.path() / "run");
  const auto heads = curvature_of_run(folder.path() / "run", {.tolerance = 0.05, .max_iterations = 300},
                                      {.count = 4, .threads = 2});
  REQUIRE(heads.size() == 4);
  CHECK(heads[3].head == interpret::HeadAt{1, 1});
  for (const CurvatureOfHead& one : heads) CHECK(one.largest.value > one.smallest.value);
  const auto json = nlohmann::json::parse(curvature_json(heads));
  CHECK(json["heads"][3]["largest"] == heads[3].largest.value);
  CHECK(json["heads"][3]["smallest"] == heads[3].smallest.value);
  CHECK(curvature_table(heads).rows[3][1] == "1");
}
