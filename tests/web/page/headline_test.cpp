// The first sentence of the report: true of the run's task and result.
#include "page/headline.h"

#include <fmt/core.h>

#include "catch.h"
#include "headlight/tasks/text.h"

using namespace headlight;
using page::headline;

namespace {

const tasks::Task kRepeat = tasks::make_task({});

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
        "This small network learned to copy: when a letter comes again, it looks back at what followed it "
        "before.");
  r.certificate->verdict = interpret::Verdict::another_way;
  CHECK(headline(kRepeat, r) == "This small network learned to copy, but the tests do not show how.");
  r.certificate->shifted_induction.emplace().by = 2;
  CHECK(contains(headline(kRepeat, r), "it looks back 2 letters past what followed it before."));
}

TEST_CASE("the headline of an uncertified run tells of looking back where a head does", "[experiment]") {
  run::Results r = measured(1, 1);
  CHECK(headline(kRepeat, r) == "This small network learned to copy.");
  r.heads[1].values[2] = .6;
  CHECK(contains(headline(kRepeat, r),
                 "copy: a part of it looks back at what followed the same letter before."));
}

TEST_CASE("the headline of a run that failed says so", "[experiment]") {
  run::Results r = measured(.1288, .07);
  CHECK(
      headline(kRepeat, r) ==
      "This small network learned only in part to copy: where the task's rule gives the answer, it is right 13 "
      "% of the time; the same answer everywhere would be right 2 %.");
  CHECK(contains(headline(kRepeat, measured(.06, .06)), "has not learned to copy: "));
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

TEST_CASE("the headline names the skill that the task asks for", "[experiment]") {
  tasks::Task task = kRepeat;
  for (const char* skill : {"close brackets", "do its task"}) {
    task.words.skill = skill == std::string("do its task") ? "" : skill;
    CHECK(headline(task, measured(.9, .9)) == fmt::format("This small network learned to {}.", skill));
    for (const auto& [accuracy, before, words] :
         {std::tuple{.892, "has not learned to",
                     " reliably: where the task's rule gives the answer, it is right 89 % of the time."},
          {.52, "has not learned to",
           " reliably: where the task's rule gives the answer, it is right 52 % of the time."},
          {.49, "learned only in part to",
           ": where the task's rule gives the answer, it is right 49 % of the time; the"},
          {.0004, "has not learned to",
           ": where the task's rule gives the answer, it is right <1 % of the time; the"}})
      CHECK(headline(task, measured(accuracy, .9))
                .starts_with(fmt::format("This small network {} {}{}", before, skill, words)));
    CHECK(headline(task, measured(.95, .892)) ==
          fmt::format("This small network learned to {} only in sequences like those of its training: in "
                      "others it is right 89 % of the time.",
                      skill));
    run::Results r;  // without predictable tokens
    r.baselines = {{run::kBestPossible, {}}};
    r.evaluation.loss = std::log(static_cast<double>(task.config.d_vocab));
    CHECK(headline(task, r) == fmt::format("This small network has not learned to {}.", skill));
    r.passed = true;
    CHECK(headline(task, r) == fmt::format("This small network learned to {}.", skill));
  }
}

// Of two answers one is right half of the time, and of the sums modulo 31 one in 31.
TEST_CASE("the headline measures against the same answer everywhere", "[experiment]") {
  tasks::TaskConfig config;
  config.name = "parity";
  const std::string bits = headline(tasks::make_task(config), measured(.56, .56));
  CHECK(contains(bits, "odd: where the task's rule gives the answer, it is right 56 % of the time; the "));
  CHECK((contains(bits, "same answer everywhere would be right 50 %.") ||
         contains(bits, "same answer everywhere would be right 51 %.")));
  CHECK(contains(headline(tasks::make_task(config), measured(.8, .8)), "odd reliably: "));
  config.name = "planted";
  CHECK(contains(headline(tasks::make_task(config), measured(.044, .04)),
                 "it is right 4 % of the time; the same answer everywhere would be right 2 %."));
  // One question in each sequence. Of the 203 sums for training about 16 have the most frequent answer.
  const auto share = [](const tasks::TaskConfig& asked) {
    const std::string said = headline(tasks::make_task(asked), measured(.06, .06));
    return std::stod(said.substr(said.find("be right ") + 9)) / 100;
  };
  CHECK(share({.name = "recall", .d_vocab = 17, .n_ctx = 16}) == Approx(1 / 8.).margin(0.01));
  CHECK(share({.name = "addition", .modulus = 17}) == Approx(16 / 203.).margin(0.01));
}

TEST_CASE("without predictable tokens the headline measures against guessing and the best possible",
          "[experiment]") {
  tasks::TaskConfig config;
  config.name = "markov", config.d_vocab = 4;
  const tasks::Task task = tasks::make_task(config);
  run::Results r;
  r.baselines = {{run::kBestPossible, {}}};
  r.baselines[0].losses.loss = 1.2214;  // guessing: ln 4 = 1.3863
  const auto at = [&](double loss) {
    r.evaluation.loss = loss;
    return headline(task, r);
  };
  CHECK(
      at(1.2448) ==
      "This small network learned only in part to predict letters that a random rule draws: it gains 86 % of "
      "what the best predictor gains over guessing.");  // (1.3863 - 1.2448) / (1.3863 - 1.2214)
  CHECK(at(1.38) == "This small network has not learned to predict letters that a random rule draws.");
  CHECK(at(1.5) == "This small network has not learned to predict letters that a random rule draws.");
  r.passed = true;
  CHECK(at(1.23) == "This small network learned to predict letters that a random rule draws.");
}

TEST_CASE("the headline says letter or token, and in which stack it found a head", "[experiment]") {
  const tasks::Task numbers = tasks::make_task({.d_vocab = 80});
  run::Results r = measured(1, 1);
  r.heads[1].values[2] = .6;
  r.heads[1].stack = interpret::Stack::encoder;
  CHECK(headline(numbers, r) == "This small network learned to copy.");
  r.certificate.emplace();
  r.certificate->verdict = interpret::Verdict::circuit;
  CHECK(headline(numbers, r) ==
        "This small network learned to copy: when a token comes again, it looks back at what followed it "
        "before.");
  r.certificate->verdict = interpret::Verdict::another_way;
  r.certificate->shifted_induction.emplace().by = 1;
  CHECK(headline(numbers, r) ==
        "This small network learned to copy: when a token comes again, it looks back 1 token past "
        "what followed it before.");
  r.certificate->shifted_induction->by = 3;
  CHECK(headline(kRepeat, r) ==
        "This small network learned to copy: when a letter comes again, it looks back 3 letters past what "
        "followed it before.");
}

TEST_CASE("the headline of a text says which text is predicted, and whether better", "[experiment]") {
  run::Results r = measured(.99, .35);
  r.baselines = {{std::string(tasks::kPairsOfCharacters), {}}};
  const std::string counting = " than counting pairs of letters does.";
  CHECK(headline(kRepeat, r) == "This small network predicts its text no better" + counting);
  r.passed = true;
  CHECK(headline(kRepeat, r) == "This small network predicts its text better" + counting);
  r.loss_held_out = 1;
  CHECK(headline(kRepeat, r) == "This small network predicts new text better" + counting);
  r.baselines[0].losses.loss = r.evaluation.loss = 0.69;
  r.loss_held_out = 0.9;
  r.baselines[0].loss_held_out = 0.69;  // the model loses 0.21 nats more to counting on new text
  CHECK(headline(kRepeat, r) ==
        "This small network learned its text by heart: it predicts new text better" + counting);
  r.baselines.push_back({"runs of 3 characters", {}, 0.89});  // the model's is 0.9
  CHECK(
      contains(headline(kRepeat, r), "counting pairs of letters does, but counting longer runs does better"));
  r.baselines.back().loss_held_out = 0.91;
  CHECK_FALSE(contains(headline(kRepeat, r), "longer runs"));
  r.baselines.pop_back();
  r.baselines[0].loss_held_out = 0.71;
  CHECK(headline(kRepeat, r) == "This small network predicts new text better" + counting);
  r.baselines[0].losses.loss = r.evaluation.loss = 1.57;  // hardly known by heart
  r.loss_held_out = 2.4;
  r.baselines[0].loss_held_out = 1.6;
  CHECK(headline(kRepeat, r) == "This small network predicts new text better" + counting);
}
