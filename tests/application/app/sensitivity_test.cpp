// The command sensitivity: each number is compared with the library's own.
#include "headlight/interpret/attribution_patching.h"
#include "headlight/interpret/gradient_norms.h"
#include "headlight/interpret/head_gradients.h"
#include "headlight/interpret/head_hessian.h"
#include "headlight/studies/head_studies.h"
#include "headlight/system/text.h"
#include "studied_run.h"

using namespace headlight;

TEST_CASE("sensitivity has each head's gradients and both rises", "[program][studies]") {
  const StudiedRun& s = studied();
  ThreadPool pool(1);
  const tasks::Batch batch = studies::study_batch(*s.run), second = s.second_draw(32),
                     many = s.second_draw(1024);
  const auto gradients = interpret::head_gradients(s.model(), batch, pool, {.patterns = true});
  for (const auto& [flag, outputs] : {std::pair{"", interpret::mean_outputs(s.model(), many)},
                                      {"--zero", interpret::no_outputs(s.model())},
                                      {"--resample", interpret::outputs_of(s.model(), second)}}) {
    const auto both = interpret::compare_with_true(s.model(), batch, outputs, pool);
    const json heads = s.numbers("sensitivity", flag)["heads"];
    REQUIRE(heads.size() == 4);
    for (std::size_t i = 0; i < 4; ++i) {
      CHECK(heads[i]["head"] == interpret::head_code(gradients.heads[i].at));
      check_near(heads[i]["gradient_z"], gradients.heads[i].z_norm);
      check_near(heads[i]["gradient_pattern"], *gradients.heads[i].pattern_norm);
      check_near(heads[i]["rise_estimated"], both.estimated.heads[i].effect);
      check_near(heads[i]["rise_true"], both.actual.heads[i].effect);
      CHECK_FALSE(heads[i].contains("curvature_largest"));
    }
    std::string text = s.output("sensitivity", flag);
    std::replace(text.begin(), text.end(), '\n', ' ');
    CHECK(contains(text, fmt::format("true rise is {:.3f} over 4 heads", *both.correlation)));
    CHECK(contains(text, "go by the true rise") == (*both.correlation < 0.8));
  }
}

TEST_CASE("sensitivity prints which head began to learn first", "[program][studies]") {
  const StudiedRun& s = studied();
  ThreadPool pool(1);
  const auto snapshots = run::all_snapshots(*s.run);
  const auto norms = interpret::head_gradient_norms(s.model(), snapshots, studies::study_batch(*s.run), pool);
  const auto starts = interpret::by_start(interpret::learning_starts(norms, 0.5));
  const json out = s.numbers("sensitivity");
  REQUIRE(out["norms"].size() == 4 * snapshots.size());
  check_near(out["norms"].back()["W_V"], norms.back().heads[3].W_V);
  CHECK(out["norms"].back()["step"] == 60);
  REQUIRE(out["starts"].size() == 4);
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(out["starts"][i]["head"] == interpret::head_code(starts[i].at));
    CHECK(out["starts"][i]["first_step"] == *starts[i].first_step);
    check_near(out["starts"][i]["largest"], starts[i].largest);
  }
  const std::string svg = s.folder() + "_norms.svg";
  s.output("sensitivity", "--svg " + svg);
  CHECK(contains(read_file(svg), "along training"));
  CHECK(contains(s.output("sensitivity", "--csv"),
                 "head,gradient_z,gradient_pattern,rise_estimated,rise_true"));
}

TEST_CASE("sensitivity --curvature has the extreme eigenvalues", "[program][studies][long]") {
  const StudiedRun& s = studied();
  ThreadPool pool(2);
  const json heads = s.numbers("sensitivity", "--curvature")["heads"];
  const auto largest = interpret::extreme_eigenvalue(s.model(), studies::study_batch(*s.run), {1, 1}, pool,
                                                     {.which = interpret::Extreme::largest});
  if (largest.converged)
    CHECK(heads[3]["curvature_largest"].get<double>() == Approx(largest.value).epsilon(0.01));
  else
    CHECK(heads[3]["curvature_largest"].is_null());
  for (const json& head : heads)
    if (!head["curvature_largest"].is_null() && !head["curvature_smallest"].is_null())
      CHECK(head["curvature_largest"] > head["curvature_smallest"]);
}

TEST_CASE("sensitivity --edges has each edge, and the model with few of them", "[program][studies]") {
  const StudiedRun& s = studied();
  ThreadPool pool(2);
  for (const auto& [flag, resample] : {std::pair{"--edges", false}, {"--edges --resample", true}}) {
    const studies::Study study = studies::edge_study(*s.run, {.resample = resample}, pool);
    const json out = s.numbers("sensitivity", flag);
    CHECK(out["replacement"] == (resample ? "resample" : "renamed"));
    for (const std::size_t i : {0, 5, 22})
      check_near(out["edges"][i]["rise_integrated"], std::get<double>(study.tables[0].rows[i][4]));
  }
  CHECK(contains(s.output("sensitivity", "--edges --csv"),
                 "sender,receiver,input,rise_gradient,rise_integrated,rise_true"));
  const std::string svg = s.folder() + "_edges.svg";
  s.output("sensitivity", "--edges --svg " + svg);
  CHECK(contains(read_file(svg), "order of the measured rise"));
}

TEST_CASE("sensitivity without snapshots, and of all stacks", "[program][studies]") {
  const TemporaryFolder folder;
  const std::string run = (folder.path() / "run").string();
  const Outcome trained = headlight_program(
      "train --task reverse --architecture encoder-decoder --layers 1 --heads 2 --d-model 16 --steps 3 "
      "--history 0 --out " +
      run);
  INFO(trained.err);
  REQUIRE(trained.status == 0);
  const Outcome o = headlight_program("sensitivity " + run + " --json");
  INFO(o.err);
  REQUIRE(o.status == 0);
  const json out = json::parse(o.out);
  CHECK(out["heads"].size() == 6);
  CHECK_FALSE(out.contains("starts"));
  check_refused("sensitivity " + run + " --edges", "expected a model of one stack, got an encoder–decoder");
  check_refused("sensitivity " + run + " --mean --zero", "excludes");
  check_refused("sensitivity " + run + " --edges --mean", "excludes");
  const std::string large = (folder.path() / "large").string();
  REQUIRE(headlight_program("train --layers 4 --heads 8 --steps 1 --history 0 --out " + large).status == 0);
  check_refused("sensitivity " + large + " --edges",
                "this model has 1281 edges, and at most 1000 are measured");
  check_refused("sensitivity " + run + "-none", "there is no run");
}
