// The losses that a model's loss is compared with.
#include "headlight/run/baselines.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "catch.h"
#include "headlight/run/evaluation_sets.h"
#include "headlight/run/experiment.h"
#include "headlight/run/results.h"
#include "headlight/studies/curves.h"
#include "headlight/tasks/batch.h"
#include "headlight/tasks/grammar.h"
#include "headlight/tasks/text.h"

using namespace headlight;
using namespace headlight::run;
using namespace headlight::studies;

namespace {

// Two sequences of two tokens; the loss of the best is as large as the token read.
tasks::Task halves() {
  return {.config = {.name = "halves", .d_vocab = 4, .n_ctx = 3},
          .vocabulary = tasks::Vocabulary::of_size(4),
          .training =
              [](Rng& rng) {
                const auto x = static_cast<std::int32_t>(rng.below(2));
                return tasks::Sequence{{x, 3, 2}, {1, tasks::kNoTarget, 1}, {true, true, false}};
              },
          .best_loss =
              [](const tasks::Sequence& s) {
                return std::vector<double>{static_cast<double>(s.tokens[0]), 100, 3};
              },
          .references = {{"fives", [](const tasks::Sequence&) {
                            return std::vector<double>{5, 100, 5};
                          }}}};
}

}  // namespace

TEST_CASE("baselines are means over the targets of the sequences evaluated", "[run]") {
  const tasks::Task task = halves();
  const Rng rng(3);
  const auto batch = tasks::draw_batch(task, task.training, 10, rng);
  double ones = 0;
  for (std::size_t b = 0; b < 10; ++b) ones += batch.tokens(b, 0);
  const auto all = baselines(task, 10, rng);
  REQUIRE(all.size() == 2);
  CHECK(all[0].name == "fives");
  CHECK(all[0].losses.loss == 5);
  CHECK(*best_possible(all)->loss_predictable == Approx(ones / 10));
  CHECK(*best_possible(all)->loss_unpredictable == 3);
  CHECK(best_possible(all)->loss == Approx((ones / 10 + 3) / 2));
  CHECK((ones > 0 && ones < 10));
  // A sequence's mean is (x + 3)/2: ones of them 2, the others 1.5.
  const double variance = 0.25 * (ones / 10) * (1 - ones / 10) * 10 / 9;
  CHECK(all[1].standard_error == Approx(std::sqrt(variance / 10)));
  CHECK(all[0].standard_error == 0);
  CHECK_FALSE(best_possible({all[0]}));
}

TEST_CASE("a task that knows no best loss has no baselines", "[run]") {
  tasks::Task task = halves();
  task.best_loss = {};
  task.references = {};
  CHECK(baselines(task, 10, Rng(3)).empty());
}

TEST_CASE("a predictor that returns what is no loss is refused", "[run]") {
  tasks::Task task = halves();
  task.best_loss = [](const tasks::Sequence&) { return std::vector<double>{1}; };
  CHECK(contains(error_of([&] { baselines(task, 1, Rng(3)); }), "there are 1 losses for 3 targets"));
  task.best_loss = [](const tasks::Sequence&) { return std::vector<double>{HUGE_VAL, 0, 0}; };
  CHECK(contains(error_of([&] { baselines(task, 1, Rng(3)); }), "a loss cannot be inf"));
}

TEST_CASE("a model is compared on the sequences on which it is evaluated", "[run]") {
  const tasks::Task task = tasks::make_task({.name = "markov", .n_ctx = 12, .states = 3});
  const auto of_sets = EvaluationSets(task, 4).baselines(),
             by_hand = baselines(task, 256, Rng(4).stream("evaluation"));
  REQUIRE(of_sets.size() == 3);
  CHECK(of_sets[0].name == "uniform");
  CHECK(best_possible(of_sets)->loss == best_possible(by_hand)->loss);
  CHECK(best_possible(of_sets)->loss < of_sets[1].losses.loss);
  CHECK(of_sets[1].losses.loss < of_sets[0].losses.loss);
}

TEST_CASE("a model is compared with counting on the same held-out sequences", "[run][text]") {
  const tasks::Task task =
      tasks::text_task({.name = "text", .n_ctx = 16}, tasks::grammar_text(3000, 1), "it");
  const auto all = EvaluationSets(task, 4).baselines();
  REQUIRE(all.size() == 4);
  for (std::size_t p = 0; p < 4; ++p) {
    double loss = 0;
    for (std::size_t i = 0; i < 256; ++i) {
      const auto s = tasks::draw_sequence(task, task.held_out, Rng(4).stream("held out"), i);
      for (const double of_token : task.references[p].losses(s)) loss += of_token / (256 * 16);
    }
    CHECK(all[p].name == task.references[p].name);
    CHECK(*all[p].loss_held_out == Approx(loss));
  }
  CHECK(all[1].loss_held_out != all[1].losses.loss);

  Results r;
  r.task = "text";
  r.baselines = all;
  r.evaluation.loss = 0.5;
  r.loss_held_out = *all[1].loss_held_out - 0.1;
  CHECK(contains(run::verdict(r, task),
                 fmt::format("better than counting pairs of characters: its loss on held-out "
                             "sequences is {:.3f} nats, that of counting {:.3f}. Counting runs of "
                             "5 characters beats it",
                             *r.loss_held_out, *all[1].loss_held_out)));
  CHECK(contains(run::verdict(r, task),
                 "It has learned by heart: on the part that it was trained on its loss is"));
  r.evaluation.loss = all[1].losses.loss - 0.1;
  CHECK_FALSE(contains(run::verdict(r, task), "by heart"));
  r.loss_held_out = *all[1].loss_held_out + 0.1;
  CHECK(contains(run::verdict(r, task), "no better than counting pairs"));
  CHECK_FALSE(contains(run::verdict(r, task), "has risen since"));
  r.lowest_held_out = LowestHeldOut{0, 1.25};
  CHECK(contains(
      run::verdict(r, task),
      "Of the snapshots measured, that of step 0 had the lowest held-out loss, 1.250. The held-out "
      "loss has risen since, while the loss in training fell. Against this one tries fewer steps, or more text."));
  const Results again = results_from_json(to_json(r), "summary.json");
  CHECK(again.baselines[1].loss_held_out == r.baselines[1].loss_held_out);
}

TEST_CASE("each baseline is a line in the chart of losses", "[run]") {
  Metrics first, second;
  first.evaluation.loss_predictable = first.evaluation.loss_unpredictable = 4;
  second = first;
  second.step = 20;
  train::Evaluation best, other;
  best.loss_predictable = 0.5, best.loss_unpredictable = 2;
  other.loss_predictable = 3, other.loss_unpredictable = 2;
  const auto charts = curves({first, second}, {{"bigrams", other}, {kBestPossible, best}});
  const auto& series = charts.at(0).series;
  REQUIRE(series.size() == 5);  // bigrams and the best agree on unpredictable tokens
  CHECK(series[2].name == "bigrams, predictable");
  CHECK(series[3].name == "best predictor, predictable");
  CHECK(series[3].x == std::vector<double>{0, 20});
  CHECK(series[3].y == std::vector<double>{0.5, 0.5});
  CHECK(series[4].y == std::vector<double>{2, 2});
  const auto copying =
      curves({first, second}, {{"bigrams", other}}, {.predictable = "copied", .others = "other"});
  REQUIRE(copying.at(0).series.size() == 4);
  CHECK(copying[0].series[0].name == "copied");
  CHECK(copying[0].series[1].name == "other");
  CHECK(copying[0].series[2].name == "bigrams, copied");
  CHECK(copying[0].series[3].name == "bigrams, other");
  best.loss_predictable.reset();
  CHECK(loss_lines({{kBestPossible, best}}).at(0).name == kBestPossible);
}

TEST_CASE("baselines are part of the summary, and older summaries have none", "[run]") {
  Results r;
  train::Evaluation best, other;
  best.loss = 1.25, best.loss_predictable = 0.5;
  other.loss = 2, other.loss_unpredictable = 2;
  r.baselines = {{"bigrams", other}, {kBestPossible, best}};
  const Results again = results_from_json(to_json(r), "summary.json");
  REQUIRE(again.baselines.size() == 2);
  CHECK(again.baselines[0].name == "bigrams");
  CHECK(again.baselines[0].losses.loss_unpredictable == 2.0);
  CHECK(best_possible(again.baselines)->loss == 1.25);
  CHECK(best_possible(again.baselines)->loss_predictable == 0.5);
  CHECK_FALSE(best_possible(again.baselines)->loss_unpredictable);
  auto old = nlohmann::json::parse(to_json(r));
  old.erase("best_possible_loss");
  old.erase("reference_losses");
  CHECK(results_from_json(old.dump(), "summary.json").baselines.empty());
}

TEST_CASE("without predictable tokens a task is solved by a loss near the best possible", "[run]") {
  const tasks::Task task = tasks::make_task({.name = "markov"});
  Results r;
  train::Evaluation best;
  best.loss = 1;
  r.evaluation.loss = 1.01;
  CHECK_FALSE(passed(r, task));
  CHECK(verdict(r, task) == "This task has no predictable tokens to be measured on.");
  r.baselines = {{kBestPossible, best}};
  CHECK(passed(r, task));
  CHECK(verdict(r, task) ==
        "The model solves the task: its loss is 0.010 nats above the best possible, the goal is 0.02.");
  r.evaluation.loss = 1.05;
  CHECK_FALSE(passed(r, task));
  CHECK(contains(verdict(r, task), "does not solve the task: its loss is 0.050 nats above"));
}

TEST_CASE("a text that is learned by heart has its lowest held-out loss along training", "[run][text]") {
  RunConfig config;
  config.task.name = "text", config.task.n_ctx = 16;
  config.model.d_model = 32, config.model.d_mlp = 64;
  config.train.steps = 240, config.train.history = 6;
  const tasks::Task task = tasks::text_task(config.task, tasks::grammar_text(600, 1), "it");
  Experiment experiment(task, config);
  experiment.run_until(240);
  const Run trained = experiment.measure();
  REQUIRE(trained.results.lowest_held_out);
  ThreadPool pool(2);
  const EvaluationSets sets(task, config.train.seed);
  LowestHeldOut lowest{0, 100};
  for (const train::Snapshot& snapshot : trained.snapshots) {
    nn::Transformer model = nn::clone(*trained.model);
    train::set_weights(model, snapshot.weights, "a snapshot");
    const double loss = sets.evaluate_held_out(model, pool, Extent::full)->loss;
    if (snapshot.step > 0 && loss < lowest.loss) lowest = {snapshot.step, loss};
  }
  CHECK(trained.results.lowest_held_out->step == lowest.step);
  CHECK(trained.results.lowest_held_out->loss == Approx(lowest.loss));
  CHECK(lowest.loss < *trained.results.loss_held_out - 0.02);
}
