// The verdict, sentence by sentence, of results made by hand.
#include <fmt/core.h>

#include "catch.h"
#include "headlight/run/results.h"
#include "headlight/tasks/text.h"

using namespace headlight;
using namespace headlight::run;

namespace {

// The scores of a previous-token head in layer 0 and of an induction head in layer 1.
Results with_scores(double previous, double induction) {
  Results r;
  r.heads = {{0, 1, {previous, .02, .03, .04, .05}}, {1, 2, {.01, .02, induction, .04, .05}}};
  r.verdict = "What was saved.";
  return r;
}

interpret::Certificate certificate(interpret::Verdict verdict) {
  interpret::Certificate c;
  c.verdict = verdict;
  c.accuracy = .98;
  c.induction_heads = {{1, 2}};
  c.previous_token_heads = {{0, 1}};
  return c;
}

Baseline counting(const std::string& name, double loss, std::optional<double> held_out = {}) {
  train::Evaluation losses;
  losses.loss = loss;
  return {name, losses, held_out};
}

const std::string kFound =
    "Layer 1, head 2 is an induction head, with a score of 0.71. Layer 0, head 1 is a previous-token head "
    "(0.62), in the layer before.";
const std::string kNotFound =
    "No head has an induction score of 0.5 or more: the highest is 0.31, of layer 1, head 2.";
const std::string kCircuit =
    "The model has an induction circuit: L1H2 looks at what followed the same token before, and finds it by "
    "what L0H1 writes into its keys.";

}  // namespace

TEST_CASE("a certified verdict has what the scores say and what the interventions decide", "[run]") {
  const tasks::Task task = tasks::make_task({});
  Results found = with_scores(.62, .71), none = with_scores(.62, .31);
  for (Results* r : {&found, &none}) r->certificate = certificate(interpret::Verdict::circuit);
  CHECK(verdict(found, task) == kFound + " " + kCircuit);
  CHECK(verdict(none, task) == kCircuit + " Its highest induction score is 0.31, of layer 1, head 2.");
  CHECK((passed(found, task) && passed(none, task)));
  CHECK(brief_verdict(found) == kFound + " Interventions confirm that they work together (the certificate).");
  CHECK(brief_verdict(none) == "What was saved.");
  Results alone = found;  // one head is named, so nothing can work together
  alone.heads[0].values[0] = .36;
  CHECK(
      brief_verdict(alone) ==
      "Layer 1, head 2 is an induction head, with a score of 0.71. Interventions confirm an induction circuit (the certificate).");
  found.diverged = true;
  CHECK(brief_verdict(found) == "What was saved.");
  found.diverged = false;

  const std::string unsolved =
      " The model does not solve the task: its accuracy on predictable tokens of the tested sequences is 0.98.";
  for (Results* r : {&found, &none}) r->certificate = certificate(interpret::Verdict::unsolved);
  CHECK(verdict(found, task) == kFound + unsolved);
  CHECK(verdict(none, task) == kNotFound + unsolved);
  CHECK(brief_verdict(found) == "What was saved.");
  CHECK_FALSE(passed(found, task));
  found.certificate = certificate(interpret::Verdict::another_way);
  CHECK(brief_verdict(found) == "What was saved.");
  CHECK_FALSE(passed(found, task));
}

TEST_CASE("a certified verdict says where the model does not solve the task", "[run]") {
  const tasks::Task task = tasks::make_task({});
  const std::string on_others =
      " On sequences of a kind that the model was not trained on, its accuracy is 2.1 %.";
  Results r = with_scores(.62, .71);
  for (const auto kind : {interpret::Verdict::circuit, interpret::Verdict::another_way}) {
    r.certificate = certificate(kind);
    r.certificate->claims.emplace_back().key = interpret::kMatching;
    r.accuracy_held_out = .021;
    CHECK(verdict(r, task).ends_with(interpret::sentence(*r.certificate) + on_others));
    r.accuracy_held_out = .9;
    CHECK(verdict(r, task).ends_with(interpret::sentence(*r.certificate)));
  }
  r.certificate = certificate(interpret::Verdict::unsolved);
  r.accuracy_held_out = .021;
  CHECK(verdict(r, task).ends_with(interpret::sentence(*r.certificate)));
}

TEST_CASE("without a certificate the verdict is that of the induction score", "[run]") {
  const tasks::Task task = tasks::make_task({});
  CHECK(verdict(with_scores(.62, .71), task) == kFound);
  Results none = with_scores(.62, .31);
  none.evaluation.accuracy_predictable = .89;
  CHECK(verdict(none, task) == kNotFound);
  none.evaluation.accuracy_predictable = .9;
  CHECK(verdict(none, task) ==
        kNotFound +
            " The model solves the task without such a head: a low loss does not imply an induction head.");
}

TEST_CASE("the verdict names the head that looks at the answers, from the threshold on", "[run]") {
  const tasks::Task task = tasks::make_task({.name = "copy"});
  const std::string solved =
      "The model solves the task: its accuracy on predictable tokens is 95.0 %, the goal is 90 %.";
  Results r = with_scores(.62, .31);
  r.evaluation.accuracy_predictable = .95;
  r.heads[1].values.emplace_back(.49);
  CHECK(verdict(r, task) == solved);
  r.heads[1].values[5] = .5;
  CHECK(verdict(r, task) ==
        solved + " Layer 1, head 2 looks at the token that the answer is copied from, with a score of 0.50.");
  r.heads[1].values[2] = .71;
  CHECK(verdict(r, task) ==
        solved + " " + kFound +
            " Layer 1, head 2 looks at the token that the answer is copied from, with a score of "
            "0.50.");
}

TEST_CASE("an accuracy below all is no 100 %", "[run]") {
  const tasks::Task task = tasks::make_task({.name = "copy"});
  Results r;
  r.evaluation.accuracy_predictable = .9999;
  r.accuracy_held_out = .0001;
  CHECK(verdict(r, task) ==
        "The model solves the task only on sequences of the kind that it was trained on: its accuracy is "
        ">99.9 % there, and <0.1 % on others; the goal is 90 %.");
}

TEST_CASE("a task is solved from the goal on, here and on held-out sequences", "[run]") {
  const tasks::Task task = tasks::make_task({.name = "copy"});
  for (const bool enough : {true, false})
    for (const bool held_out : {true, false}) {
      Results r;
      r.evaluation.accuracy_predictable = enough ? .9 : .899;
      r.accuracy_held_out = held_out ? .9 : .899;
      CHECK(passed(r, task) == (enough && held_out));
      const std::string begin = !enough    ? "The model does not solve the task: "
                                : held_out ? "The model solves the task: "
                                           : "The model solves the task only on sequences of the kind that";
      CHECK(verdict(r, task).starts_with(begin));
    }
}

TEST_CASE("the goal of a task without predictable tokens is a small distance to the best loss", "[run]") {
  const tasks::Task task = tasks::make_task({.name = "markov"});
  Results r;
  r.baselines = {counting("unigrams", 0.5), counting(kBestPossible, 1)};
  for (const double above : {.019, .021}) {
    r.evaluation.loss = 1 + above;
    CHECK(passed(r, task) == (above < .02));
    CHECK(verdict(r, task) ==
          fmt::format("The model {} the task: its loss is {:.3f} nats above the best possible, the goal is "
                      "0.02.",
                      above < .02 ? "solves" : "does not solve", above));
  }
}

TEST_CASE("a text is compared with counting pairs, and then with the last of the predictors", "[run][text]") {
  tasks::Task task = tasks::make_task({});
  task.solved_by = "";
  Results r;
  r.evaluation.loss = 1.5;
  r.baselines = {counting("single characters", 3.1), counting(tasks::kPairsOfCharacters, 2.2),
                 counting("runs of 5 characters", 1.9)};
  CHECK(passed(r, task));
  CHECK(
      verdict(r, task) ==
      "The model predicts better than counting pairs of characters: its loss is 1.500 nats, that of counting "
      "2.200. Counting runs of 5 characters does not beat it, with 1.900.");
  r.evaluation.loss = 2.3;
  CHECK_FALSE(passed(r, task));
  CHECK(verdict(r, task) ==
        "The model predicts no better than counting pairs of characters: its loss is 2.300 nats, that of "
        "counting 2.200. Counting runs of 5 characters beats it, with 1.900.");
  r.baselines.resize(2);
  std::swap(r.baselines[0].name, r.baselines[1].name);  // pairs first, with 3.1
  CHECK(
      verdict(r, task) ==
      "The model predicts better than counting pairs of characters: its loss is 2.300 nats, that of counting "
      "3.100. Counting single characters beats it, with 2.200.");
  r.baselines = {counting("single characters", 3.1), counting("runs of 3 characters", 2.4)};  // without pairs
  CHECK(verdict(r, task) ==
        "The model predicts better than counting runs of 3 characters: its loss is 2.300 nats, that of "
        "counting 2.400.");
}

TEST_CASE("a text is learned by heart when the model gains more on the part that it was trained on",
          "[run][text]") {
  tasks::Task task = tasks::make_task({});
  task.solved_by = "";
  Results r;
  r.evaluation.loss = 0.4;
  r.loss_held_out = 1.5;
  r.baselines = {counting(tasks::kPairsOfCharacters, 2.2, 3.01), counting("runs of 5 characters", 1.1, 1.4)};
  const std::string compared =
      "The model predicts better than counting pairs of characters: its loss on held-out sequences is 1.500 "
      "nats, that of counting 3.010. Counting runs of 5 characters beats it, with 1.400.";
  const std::string by_heart =
      " It has learned by heart: on the part that it was trained on its loss is 0.400.";
  CHECK(learned_by_heart(r));  // 1.1 nats from one part to the other, where pairs lose 0.81
  CHECK(verdict(r, task) == compared + by_heart);
  r.lowest_held_out = LowestHeldOut{70, 1.25};
  CHECK(
      verdict(r, task) ==
      compared + by_heart +
          " Of the snapshots measured, that of step 70 had the lowest held-out loss, 1.250. The held-out "
          "loss has risen since, while the loss in training fell. Against this one tries fewer steps, or more text.");
  r.evaluation.loss = 0.52;
  CHECK_FALSE(learned_by_heart(r));  // 0.98 nats
  r.evaluation.loss = 1.57;          // it knows no text by heart that it gives a fifth of the probability
  r.loss_held_out = 3.5;
  CHECK_FALSE(learned_by_heart(r));
  CHECK_FALSE(contains(verdict(r, task), "by heart"));
}
