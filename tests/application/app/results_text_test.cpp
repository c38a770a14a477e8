// What a training prints at its end, of results made by hand.
#include "app/output/results_text.h"

#include "app/output/task_table.h"
#include "app/output/task_text.h"
#include "catch.h"
#include "headlight/run/run_list.h"
#include "headlight/studies/certificate.h"
#include "headlight/studies/head_table.h"
#include "headlight/system/text.h"

using namespace headlight;
using namespace headlight::app;

namespace {

run::Results whole_results() {
  run::Results r;
  r.steps = 40, r.train_seconds = 12.34, r.tokens_per_second = 45678;
  r.formed_at_step = 20, r.formed_at_seconds = 6.15;
  r.loss_first = 4.1, r.loss_last = .2;
  r.evaluation.accuracy_predictable = .81, r.accuracy_held_out = .825;
  r.evaluation.loss_predictable = .32, r.evaluation.loss_unpredictable = .33, r.evaluation.loss = .31;
  train::Evaluation unigrams, best;
  unigrams.loss = .36, best.loss = .38;
  r.baselines = {{"unigrams", unigrams}, {run::kBestPossible, best}};
  r.verdict = "A verdict.";
  return r;
}

// In one line, for a terminal may be narrow.
std::string unbroken(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

}  // namespace

TEST_CASE("a training's end has its numbers in order", "[program]") {
  tasks::Task task = tasks::make_task({});
  task.kinds = {.predictable = "copied", .others = "other"};
  run::Results r = whole_results();
  CHECK(results_text(r, task, draw::ColorMode::none) ==
        "accuracy on copied tokens: 81.0 %;  on held-out sequences: 82.5 %\n"
        "training loss: 4.1000 → 0.2000 nats, of the first and the last batch\n"
        "evaluated loss: 0.3100 nats on all tokens, 0.3200 on copied tokens, 0.3300 on other ones\n"
        "best possible loss: 0.3800 nats on the same tokens\n"
        "40 steps in 12.3 s, 46k tokens/s;  copied accuracy first above 50 % at step 20 (6.2 s)\n\n"
        "A verdict.\n");
  r.formed_at_step = 0;
  CHECK(contains(results_text(r, task, draw::ColorMode::none),
                 "k tokens/s;  copied accuracy above 50 % at step 0 already\n\n"));
  r = whole_results();
  r.heads = {{0, 1, {.1, .2, .3}}, {1, 0, {.2, .1, .7}}};
  r.interrupted = true;
  r.certificate.emplace().verdict = interpret::Verdict::another_way;
  const std::string text = results_text(r, task, draw::ColorMode::none);
  CHECK(contains(unbroken(text),
                 " Where each head looks: the mean attention weight that it gives to each kind of place, on "
                 "sequences of other lengths than in training (trained on segments of 16 to 32 tokens). L1H0 "
                 "is layer 1, head 0.  head "));
  CHECK(
      contains(text, "\n\n" + studies::head_table(r.heads, draw::ColorMode::none) + "\naccuracy on copied"));
  CHECK(text.ends_with("(6.2 s)\n\nStopped at step 40; what was trained until then is saved.\n" +
                       studies::certificate_table(*r.certificate) + "\nA verdict.\n"));
}

TEST_CASE("a training's end leaves out what was not measured", "[program]") {
  run::Results r;
  r.steps = 3, r.train_seconds = 1, r.tokens_per_second = 999;
  r.loss_first = 2, r.loss_last = 1, r.evaluation.loss = 1.5;
  r.evaluation.loss_unpredictable = 1.5, r.formed_at_step = 2;
  r.verdict = "A verdict.";
  CHECK(results_text(r, tasks::make_task({}), draw::ColorMode::none) ==
        "\ntraining loss: 2.0000 → 1.0000 nats, of the first and the last batch\n"
        "evaluated loss: 1.5000 nats on all tokens\n"
        "3 steps in 1.0 s, 1k tokens/s\n\n"
        "A verdict.\n");
}

TEST_CASE("the sentence on where heads look names the sequences", "[program]") {
  tasks::Task task = tasks::make_task({});
  CHECK(tasks::scored_kind(task) ==
        "sequences of other lengths than in training (trained on segments of 16 to 32 tokens)");
  task.scored = {};
  CHECK(tasks::scored_kind(task) == "sequences as in training (trained on segments of 16 to 32 tokens)");
  task.trained_on.clear();
  CHECK(tasks::scored_kind(task) == "sequences as in training");
  CHECK(tasks::scored_kind(tasks::make_task({.name = "copy"})) ==
        "repeated random tokens (the answer score: on sequences as in training)");
}

TEST_CASE("a line of the page of tasks has its numbers in their columns", "[program]") {
  run::Results r = whole_results();
  const auto line = [&] {
    return line_of_task("sort", HEADLIGHT_SOURCE_DIR "/data/configs", [&](const auto&) { return r; });
  };
  const std::string begin =
      "| [sort](../data/configs/sort.json) | a random segment, a separator, the segment in order | ";
  CHECK(line() == begin + "81.0 % | 82.5 % | 0.3100 | 0.3800 |\n");
  r = {};
  r.evaluation.loss = 2;
  CHECK(line() == begin + "– | – | 2.0000 | – |\n");
}

TEST_CASE("a task's losses are named, with an error where they were measured", "[program]") {
  tasks::Task task = tasks::make_task({.name = "triggers", .d_vocab = 12, .n_ctx = 16});
  const auto all = run::baselines(task, 256, Rng(7).stream("evaluation"));
  REQUIRE(all.size() == 2);
  CHECK(losses_text(task, measured_losses(task, 7)) ==
        fmt::format("The loss of bigrams is {:.4f} ± {:.4f} nats.\nThe best possible loss is {:.4f} ± {:.4f} "
                    "nats.\n± is the standard error: measured on 256 sequences.\n",
                    all[0].losses.loss, all[0].standard_error, all[1].losses.loss, all[1].standard_error));
  task.best_mean = 1.25;
  task.references.clear();
  CHECK(losses_text(task, measured_losses(task, 7)) == "The best possible loss is 1.2500 nats.\n");
}
