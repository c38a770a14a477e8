// What is said of a run, and that a resumed run says the same.
#include "headlight/run/results.h"

#include <nlohmann/json.hpp>
#include <sstream>

#include "catch.h"
#include "headlight/run/evaluation_sets.h"
#include "headlight/run/experiment.h"
#include "headlight/run/measured.h"
#include "headlight/run/run.h"
#include "headlight/run/run_files.h"
#include "headlight/system/files.h"
#include "run/saved.h"
#include "run/small_config.h"
#include "temporary_folder.h"

using namespace headlight;
using namespace headlight::run;

namespace {

// Always the next number, so that it is learned in a moment.
tasks::Task counting() {
  return {.config = {.name = "counting", .d_vocab = 5, .n_ctx = 6},
          .vocabulary = tasks::Vocabulary::of_size(5),
          .training = [](Rng& rng) {
            std::vector<std::int32_t> tokens{static_cast<std::int32_t>(rng.below(5))};
            while (tokens.size() < 7) tokens.push_back((tokens.back() + 1) % 5);
            return tasks::next_token_sequence(tokens, {});
          }};
}

std::map<std::int64_t, double> seconds_by_step(const std::filesystem::path& run) {
  std::istringstream lines(read_file(run / files::kTiming));
  std::map<std::int64_t, double> seconds;
  for (std::string line; std::getline(lines, line);) {
    const auto json = nlohmann::json::parse(line);
    seconds[json.at("step")] = json.at("seconds");
  }
  return seconds;
}

}  // namespace

TEST_CASE("results say when the task was learned, and how fast", "[run]") {
  const TemporaryFolder folder;
  RunConfig config = small_config();
  config.train.steps = 100;
  config.train.history = 0;  // no page, which would need the task's name in the registry
  Experiment run(counting(), config, {.threads = 1});
  run.run_until(100);
  const Results r = save(run, folder.path() / "run");
  REQUIRE(r.formed_at_step);
  std::int64_t first = -1;
  for (const Metrics& m : run.metrics())
    if (first < 0 && m.evaluation.accuracy_predictable.value() >= 0.5) first = m.step;
  CHECK(first < 100);
  CHECK(r.formed_at_step == first);
  CHECK(r.formed_at_seconds == seconds_by_step(folder.path() / "run").at(first));
  Run late = run.measure();  // as a lab measures a model that was trained before
  late.metrics.erase(late.metrics.begin()), late.seconds.erase(late.seconds.begin());
  ThreadPool pool(1);
  measure_results(late, EvaluationSets(late.task, config.train.seed), pool);
  CHECK_FALSE(late.results.formed_at_step);
  CHECK(r.tokens_per_second * r.train_seconds == Approx(100 * 12 * 6));
}

TEST_CASE("a run that was resumed and not trained says what it said before", "[run]") {
  const TemporaryFolder folder;
  Experiment run(small_config(), {.threads = 1});
  run.run_until(3);
  const Results before = save(run, folder.path() / "run");
  CHECK(before.loss_first != before.loss_last);
  const Results after = Experiment::resume(read_run(folder.path() / "run"), {.threads = 1}).measure().results;
  CHECK(after.loss_first == before.loss_first);
  CHECK(after.loss_last == before.loss_last);
  CHECK(after.train_seconds == Approx(before.train_seconds));
}

TEST_CASE("only a previous-token head of an earlier layer is part of the verdict", "[run]") {
  const auto said = [](std::size_t layer, double score, std::size_t best = 1) {
    Results r;
    r.heads = {{layer, 0, {score, 0, .1}}, {best, 1, {0, 0, .9}}};
    return verdict(r, tasks::make_task({}));
  };
  const std::string found = "Layer 1, head 1 is an induction head, with a score of 0.90.";
  CHECK(said(0, .8) == found + " Layer 0, head 0 is a previous-token head (0.80), in the layer before.");
  CHECK(contains(said(0, .8, 2), "Layer 0, head 0 is a previous-token head (0.80), in an earlier layer."));
  CHECK(said(0, .4) == found);
  CHECK(said(1, .8) == found);
  CHECK(said(2, .8) == found);
}

TEST_CASE("a verdict names every head with the score of an induction head", "[run]") {
  Results r;
  r.heads = {{1, 0, {0, 0, .5}}, {1, 1, {0, 0, .9}}, {1, 2, {0, 0, .49}}};
  const tasks::Task task = tasks::make_task({});
  CHECK(verdict(r, task) == "Layer 1, head 1 is an induction head, with a score of 0.90; so is L1H0 (0.50).");
  r.heads[2].values[2] = .75;
  CHECK(verdict(r, task) ==
        "Layer 1, head 1 is an induction head, with a score of 0.90; so are L1H0 (0.50), L1H2 (0.75).");
}

TEST_CASE("without an induction head the verdict names the best one and the threshold", "[run]") {
  Results r;
  r.heads = {{0, 0, {.8, 0, .1}}, {1, 2, {0, 0, .24}}};
  const tasks::Task task = tasks::make_task({});
  CHECK(verdict(r, task) ==
        "No head has an induction score of 0.5 or more: the highest is 0.24, of layer 1, head 2.");
  r.evaluation.accuracy_predictable = 1.0;
  CHECK_FALSE(passed(r, task));
  CHECK(contains(verdict(r, task), "The model solves the task without such a head"));
  r.heads[1].values[2] = .5;
  CHECK(passed(r, task));
}

TEST_CASE("a task whose success is accuracy is judged by it, whatever its heads are", "[run]") {
  const tasks::Task task = tasks::make_task({.name = "copy"});
  Results r;
  r.heads = {{0, 0, {.1, 0, .1}}};
  r.evaluation.accuracy_predictable = .925;
  CHECK(passed(r, task));
  CHECK(verdict(r, task) ==
        "The model solves the task: its accuracy on predictable tokens is 92.5 %, the goal is 90 %.");
  r.accuracy_held_out = .15;
  CHECK_FALSE(passed(r, task));
  CHECK(verdict(r, task) ==
        "The model solves the task only on sequences of the kind that it was trained on: its "
        "accuracy is 92.5 % there, and 15.0 % on others; the goal is 90 %.");
  r.accuracy_held_out = .95;
  CHECK(passed(r, task));
  r.evaluation.accuracy_predictable = .8;
  r.heads[0].values[2] = .7;
  CHECK_FALSE(passed(r, task));
  CHECK(contains(verdict(r, task), "does not solve the task: its accuracy on predictable tokens is 80.0 %"));
  CHECK(contains(verdict(r, task), "Layer 0, head 0 is an induction head, with a score of 0.70."));
  tasks::Task named = task;
  named.kinds.predictable = "copied";
  CHECK(contains(verdict(r, named), "its accuracy on copied tokens is 80.0 %"));
}

TEST_CASE("a summary is read as it was written, and one of version 0.2 gets the verdict of its heads",
          "[run]") {
  Results r;
  r.passed = true;
  r.verdict = "Well done.";
  r.heads = {{0, 0, {.1, .2, .7, .3, .4}}};
  const Results again = results_from_json(to_json(r), "summary.json");
  CHECK(again.passed);
  CHECK(again.verdict == "Well done.");
  CHECK(again.heads[0].values == r.heads[0].values);
  auto old = nlohmann::json::parse(to_json(r));
  old.erase("verdict");
  old["heads"][0].erase("self");
  old["heads"][0].erase("first_token");
  const Results before = results_from_json(old.dump(), "summary.json");
  CHECK(before.verdict == "Layer 0, head 0 is an induction head, with a score of 0.70.");
  CHECK(before.heads[0].values == std::vector<std::optional<double>>{.1, .2, .7});
  CHECK(results_from_json(to_json(before), "summary.json").heads[0].values.size() == 3);
}

TEST_CASE("every list and number of a certificate is read back into its own place", "[run]") {
  interpret::Certificate c;
  c.verdict = interpret::Verdict::another_way;
  c.accuracy = 0.95;
  c.predictable = "copied";
  c.induction_heads = {{1, 0}}, c.previous_token_heads = {{0, 1}, {0, 2}}, c.helpers = {{0, 3}};
  c.stand_ins = {{{1, 2}, {{0, 3}}, 0.94}};
  c.all_sets = interpret::AllSets{256, 16, 3, 2, {{0, 1}, {1, 1}}};
  c.weak = {{1, 1}};
  c.several_tokens = true;
  c.through = {interpret::HeadInput::keys, interpret::HeadInput::queries};
  c.by_keys = 0.1, c.by_queries = 0.2, c.by_removal = 0.3;
  c.accuracy_without_previous_token_heads = 0.4, c.interchange = 0.45, c.accuracy_at_random = 0.47;
  c.distances = {3, 17};
  interpret::Claim claim;
  claim.key = interpret::kMatching, claim.name = "looks", claim.says = "It looks.", claim.more = "Often.";
  claim.standing = interpret::Standing::fails;
  claim.number = 0.15, claim.control = 0.05, claim.threshold = 0.3, claim.control_limit = 0.25;
  c.claims = {claim};
  c.formation = {{10, 0.51, 0.52, 0.53}};
  c.needed = {{{1, 3}, 0.61, "at itself", 0.62}};
  c.shifted_induction = interpret::ShiftedInduction{7, {{2, 0}}, {{2, 1}}, {{2, 2}}, 0.71, 0.72, 0.73, 0.74};
  Results r;
  r.heads = {{0, 0, {.1, .2, .3, .3, .4}}};
  r.steps = 20;
  r.certificate = c;
  const interpret::Certificate again = *results_from_json(to_json(r), "summary.json").certificate;
  CHECK(again.accuracy == c.accuracy);
  CHECK(again.predictable == c.predictable);
  CHECK(again.induction_heads == c.induction_heads);
  CHECK(again.previous_token_heads == c.previous_token_heads);
  CHECK(again.helpers == c.helpers);
  REQUIRE(again.stand_ins.size() == 1);
  CHECK((again.stand_ins[0].head == interpret::HeadAt{1, 2} && again.stand_ins[0].replaces == c.helpers));
  CHECK(again.stand_ins[0].accuracy == 0.94);
  REQUIRE(again.all_sets);
  const interpret::AllSets& all = *again.all_sets;
  CHECK((all.sets == 256 && all.enough == 16 && all.smaller == 3 && all.minimal == 2));
  CHECK(all.smallest == c.all_sets->smallest);
  CHECK(again.weak == c.weak);
  CHECK(again.several_tokens);
  CHECK(again.through == c.through);
  CHECK((again.by_keys == 0.1 && again.by_queries == 0.2 && again.by_removal == 0.3));
  CHECK(again.accuracy_without_previous_token_heads == 0.4);
  CHECK((again.interchange == 0.45 && again.accuracy_at_random == 0.47));
  CHECK(again.distances == std::pair<std::size_t, std::size_t>{3, 17});
  REQUIRE(again.claims.size() == 1);
  CHECK((again.claims[0].key == claim.key && again.claims[0].name == "looks" &&
         again.claims[0].says == "It looks." && again.claims[0].more == "Often."));
  CHECK((again.claims[0].number == 0.15 && again.claims[0].control == 0.05));
  CHECK((again.claims[0].threshold == 0.3 && again.claims[0].control_limit == 0.25));
  CHECK((again.claims[0].control_at_most && !again.claims[0].number_at_most));
  CHECK((again.formation[0].step == 10 && again.formation[0].matching == 0.51));
  CHECK((again.formation[0].previous == 0.52 && again.formation[0].accuracy == 0.53));
  CHECK((again.needed[0].head == interpret::HeadAt{1, 3} && again.needed[0].accuracy_without == 0.61));
  CHECK((again.needed[0].looks == "at itself" && again.needed[0].weight == 0.62));
  const interpret::ShiftedInduction& shifted = *again.shifted_induction;
  CHECK(shifted.by == 7);
  CHECK(shifted.induction_heads == interpret::HeadSet{{2, 0}});
  CHECK(shifted.key_heads == interpret::HeadSet{{2, 1}});
  CHECK(shifted.value_heads == interpret::HeadSet{{2, 2}});
  CHECK((shifted.weight == 0.71 && shifted.control == 0.72));
  CHECK((shifted.lost_by_keys == 0.73 && shifted.accuracy_without_values == 0.74));
}

TEST_CASE("a line of metrics and the losses of baselines are read back into their own places", "[run]") {
  Metrics m;
  m.step = 7;
  m.evaluation.loss = 0.1, m.evaluation.loss_predictable = 0.2, m.evaluation.loss_unpredictable = 0.3;
  m.evaluation.accuracy_predictable = 0.4;
  m.report = train::StepReport{7, 0.5, 0.6, 0.7};
  m.held_out = {0.8, 0.9, 1.0, 1.1};
  m.own = {{"weight norm", 12}, {"a", -1.5}};
  const Metrics read = metrics_from_lines(metrics_line(m) + "\n", "metrics.jsonl").at(0);
  CHECK((read.held_out->loss == 0.8 && read.held_out->accuracy_predictable == 0.9));
  CHECK((read.held_out->loss_predictable == 1.0 && read.held_out->loss_unpredictable == 1.1));
  CHECK(read.own == m.own);
  CHECK(own_value(read, "a") == -1.5);
  CHECK_FALSE(own_value(read, "b"));
  Metrics before;
  before.own = {{"a", 1}, {"b", 2}};
  CHECK(own_names({before, read}) == std::vector<std::string>{"a", "b", "weight norm"});
  CHECK(contains(error_of([] {
                   metrics_from_lines(R"({"step": 0, "loss": 1, "heads": [], "own": {"a": "x"},)"
                                      R"( "accuracy_predictable": null, "loss_predictable": null,)"
                                      R"( "loss_unpredictable": null, "train_loss": null})",
                                      "m");
                 }),
                 "'own.a'"));
  CHECK((read.step == 7 && read.evaluation.loss == 0.1));
  CHECK((read.evaluation.loss_predictable == 0.2 && read.evaluation.loss_unpredictable == 0.3));
  CHECK(read.evaluation.accuracy_predictable == 0.4);
  CHECK((read.report->loss == 0.5 && read.report->gradient_norm == 0.6 && read.report->learning_rate == 0.7));

  Results r;
  r.heads = {{0, 0, {.1, .2, .3, .3, .4}}};
  train::Evaluation losses;
  losses.loss = 0.11, losses.loss_predictable = 0.12, losses.loss_unpredictable = 0.13;
  r.baselines = {{"unigrams", losses, 0.14}};
  const Baseline again = results_from_json(to_json(r), "summary.json").baselines.at(0);
  CHECK((again.losses.loss == 0.11 && again.losses.loss_predictable == 0.12));
  CHECK((again.losses.loss_unpredictable == 0.13 && again.loss_held_out == 0.14));
}

TEST_CASE("each result is listed under its own name", "[run]") {
  Results r;
  r.seed = 3, r.steps = 40;
  r.loss_first = 4.1, r.loss_last = 0.2;
  r.evaluation.loss = 0.31, r.evaluation.loss_predictable = 0.32, r.evaluation.loss_unpredictable = 0.33;
  r.evaluation.accuracy_predictable = 0.81;
  r.accuracy_held_out = 0.82, r.loss_held_out = 0.34;
  r.lowest_held_out = LowestHeldOut{12, 0.35};
  train::Evaluation unigrams, best;
  unigrams.loss = 0.36, best.loss = 0.38;
  r.baselines = {{"unigrams", unigrams, 0.37}, {kBestPossible, best}};
  r.heads = {{0, 1, {.1, .9, .3, .3, .4}}, {1, 2, {.2, .1, .7, .3, .4}}};
  std::map<std::string, std::string> listed;
  for (const auto& [name, value] : facts(r, {})) listed[name] = value;
  CHECK(listed["seed"] == "3");
  CHECK(listed["steps of training"] == "40");
  CHECK(contains(listed["loss on all tokens"], "0.31"));
  CHECK(contains(listed["loss on predictable tokens"], "0.32"));
  CHECK(contains(listed["loss on unpredictable tokens"], "0.33"));
  CHECK(contains(listed["loss on held-out sequences"], "0.34"));
  CHECK(contains(listed["the lowest of the snapshots measured"], "0.35"));
  CHECK(contains(listed["the lowest of the snapshots measured"], "step 12"));
  CHECK(listed["predictable accuracy"] == "81.0 %");
  CHECK(listed["the same on held-out sequences"] == "82.0 %");
  CHECK(contains(listed["loss of unigrams"], "0.36"));
  CHECK(contains(listed["loss of unigrams"], "0.37"));
  CHECK(contains(listed["best possible loss"], "0.38"));
  CHECK(contains(listed["best induction score"], "0.70"));
  CHECK(contains(listed["best induction score"], "layer 1, head 2"));
  CHECK(contains(listed["best previous-token score"], "0."));
}

TEST_CASE("the lines of metrics are of the same heads", "[run]") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "metrics.jsonl";
  const auto line = [](std::int64_t step, std::size_t layer, std::size_t head) {
    return metrics_line({step, {}, {{layer, head, {0, 0, 0}}}, {}}) + "\n";
  };
  write_file(file, line(0, 1, 0) + line(1, 1, 0));
  CHECK(read_metrics(file).size() == 2);
  for (const auto& other : {line(1, 1, 1), line(1, 0, 0), line(0, 1, 0)}) {
    write_file(file, line(0, 1, 0) + other);
    CHECK(contains(error_of([&] { read_metrics(file); }),
                   "is damaged: line 2: its step or its heads do not follow"));
  }
}

TEST_CASE("a resumed run keeps the snapshots of training that it would have kept", "[run]") {
  const TemporaryFolder folder;
  tasks::registry().add({"counting", "always the next", [](const auto&) { return counting(); }});
  RunConfig config = small_config();
  config.train.steps = 60;
  config.train.warmup = 0;
  config.train.evaluate_every = 3;
  config.train.history = 5;
  const auto steps_of = [](const std::filesystem::path& run) {
    std::vector<std::int64_t> steps;
    for (const train::Snapshot& snapshot : all_snapshots(read_run(run))) steps.push_back(snapshot.step);
    return steps;
  };
  Experiment whole(counting(), config, {.threads = 1});
  whole.run_until(60);
  save(whole, folder.path() / "whole");
  const auto parts = folder.path() / "parts";
  Experiment first(counting(), config, {.threads = 1});
  first.run_until(24);
  save(first, parts);
  for (const std::int64_t stop : {42, 60}) {
    Experiment run = Experiment::resume(read_run(parts), {.threads = 1});
    run.run_until(stop);
    save(run, parts);
  }
  CHECK(steps_of(parts) == steps_of(folder.path() / "whole"));
}

TEST_CASE("a text that is shown has a limit, and a command line has a larger one", "[run]") {
  Results r;
  r.version = "1", r.task = "repeat", r.verdict = "";
  CHECK(results_from_json(to_json(r), "f").verdict.empty());
  r.command = std::string(200'000, 'c');
  CHECK(results_from_json(to_json(r), "f").command == r.command);
  CHECK(facts(r, {}).front().second.size() < 150'000);
  r.verdict = std::string(100'001, 'v');
  CHECK(contains(error_of([&] { results_from_json(to_json(r), "f"); }),
                 "'f' is damaged: 'verdict': expected a text of at most 100000 bytes, got 100001."));
}
