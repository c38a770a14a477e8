// The first sentence of the report: true of the run's task and result.
#include "page/headline.h"

#include "catch.h"
#include "headlight/tasks/text.h"

using namespace headlight;
using page::headline;

namespace {

const tasks::Task kRepeat = tasks::make_task({});

const std::vector<std::string> kTasks = tasks::registry().names();  // before other tests add theirs

run::Results measured(double accuracy, double held_out) {
  run::Results r;
  r.evaluation.accuracy_predictable = accuracy;
  r.accuracy_held_out = held_out;
  r.heads = {{0, 0, {.75, 0, 0, 0, 0}}, {1, 1, {0, 0, .4, 0, 0}}};
  return r;
}

}  // namespace

TEST_CASE("the headline says how a certified circuit copies", "[experiment]") {
  run::Results r = measured(1, 1);
  r.certificate.emplace();
  r.certificate->verdict = interpret::Verdict::circuit;
  CHECK(headline(kRepeat, r) ==
        "This small network learned to copy: when a letter comes again, it looks back at what came next last "
        "time.");
  r.certificate->verdict = interpret::Verdict::another_way;
  CHECK(headline(kRepeat, r) == "This small network learned to copy, but the tests do not show how.");
  r.certificate->shifted_induction.emplace().by = 2;
  CHECK(contains(headline(kRepeat, r), "it looks back 2 letters past what came next last time."));
}

TEST_CASE("the headline has a word for what each task that ships is", "[experiment]") {
  tasks::Task task = kRepeat;
  for (const std::string& name : kTasks) {
    if (name == "text") continue;  // it is compared with counting
    INFO(name);
    task.config.name = name;
    CHECK_FALSE(contains(headline(task, measured(1, 1)), "do its task"));
  }
}

TEST_CASE("the headline of an uncertified run tells of looking back where a head does", "[experiment]") {
  run::Results r = measured(1, 1);
  CHECK(headline(kRepeat, r) == "This small network learned to copy.");
  r.heads[1].values[2] = .6;
  CHECK(contains(headline(kRepeat, r), "copy: a part of it looks back at what came next last time."));
}

TEST_CASE("the headline of a run that failed says so", "[experiment]") {
  run::Results r = measured(.1288, .07);
  CHECK(headline(kRepeat, r) ==
        "This small network has not learned to copy: where the answer can be known, it is right 13 % of the "
        "time.");
  r.diverged = true;
  CHECK(headline(kRepeat, r) == "This small network learned nothing: its training diverged.");
  CHECK(contains(headline(kRepeat, measured(1, .01)),
                 "only in sequences like those of its training: in others it is right 1 % of the time."));
}

TEST_CASE("the headline of a text says what was learned by heart", "[experiment]") {
  run::Results r = measured(.99, .35);
  r.baselines = {{std::string(tasks::kPairsOfCharacters), {}, 3.45}};
  r.baselines[0].losses.loss = 2.4;
  r.evaluation.loss = 0.19;
  r.loss_held_out = 6.4;
  CHECK(headline(kRepeat, r) ==
        "This small network learned its text by heart: it predicts new text no better than counting pairs of "
        "letters does.");
  r.evaluation.loss = 1.2;
  r.loss_held_out = 2.0;
  r.passed = true;
  CHECK(headline(kRepeat, r) ==
        "This small network predicts new text better than counting pairs of letters does.");
}

TEST_CASE("every task that ships has words for the headline", "[experiment]") {
  // Of a text the headline says something else.
  for (const char* name : {"repeat", "copy", "reverse", "sort", "recall", "mqar", "markov", "khop",
                           "triggers", "histogram", "parity", "addition", "brackets"}) {
    const tasks::Task task = tasks::make_task({.name = name});
    CAPTURE(name);
    CHECK_FALSE(contains(headline(task, measured(1, 1)), "its task"));
    CHECK_FALSE(contains(headline(task, measured(0, 0)), "its task"));
  }
}
