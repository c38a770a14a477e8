// An experiment of the learner's own, and what is said of it.
#include "grader/experiment.h"

#include <cmath>
#include <limits>

#include "catch.h"
#include "grader/judge.h"

using namespace headlight::grader;

namespace {

double square(double n) { return n * n; }
std::vector<Trial> right() { return {{1, 2, 1}, {3, 8, 9}, {4, 30, 16}}; }
std::vector<Trial> wrong_number() { return {{1, 2, 1}, {3, 8, 10}, {4, 30, 16}}; }
std::vector<Trial> twice_the_same() { return {{1, 2, 1}, {3, 8, 9}, {3, 9, 9}}; }
std::vector<Trial> too_large() { return {{1, 2, 1}, {3, 8, 9}, {11, 100, 121}}; }
std::vector<Trial> a_half() { return {{1, 2, 1}, {3, 8, 9}, {2.5, 6, 6.25}}; }
std::vector<Trial> no_prediction() {
  return {{1, 2, 1}, {3, std::numeric_limits<double>::quiet_NaN(), 9}, {4, 30, 16}};
}
std::vector<Trial> unwritten() { todo(); }
std::vector<Trial> throws() { throw headlight::Error("no"); }

Verdict verdict_on_experiment(Experiment learner) {
  const Exercise exercise{
      "00_test",
      {experiment_part("squares", 1, learner, right, square,
                       {.setting = "n", .measured = "its square", .least = 0, .most = 10})}};
  return judge(exercise, exercise);
}

void check_refused(Experiment learner, const std::string& words) {
  const Verdict verdict = verdict_on_experiment(learner);
  CHECK(verdict.kind == Kind::refused);
  CHECK(verdict.message == words);
  CHECK(verdict.expected.empty());
}

}  // namespace

TEST_CASE("an experiment is judged by what it measured, at settings of the learner's choice", "[grader]") {
  CHECK(verdict_on_experiment(unwritten).kind == Kind::not_written);
  const Verdict solved = verdict_from_json(to_json(verdict_on_experiment(right)));
  CHECK(solved.kind == Kind::solved);
  REQUIRE(solved.trials.size() == 3);
  CHECK(solved.trials[0].name == "n");
  CHECK(solved.trials[1].numbers == std::vector<double>{2, 8, 30});
  CHECK(solved.trials[2].numbers == std::vector<double>{1, 9, 16});

  const Verdict wrong = verdict_on_experiment(wrong_number);
  CHECK(wrong.kind == Kind::wrong_trial);
  CHECK(
      wrong.message ==
      "The trial with n = 3 is off. One too many is counted. Does the count go on before or after the test?");
  CHECK(wrong.expected.empty());
  CHECK(wrong.found[2].numbers == std::vector<double>{1, 10, 16});
  CHECK(wrong.trials.empty());
}

TEST_CASE("an experiment with too few settings, or without a prediction, is refused in words", "[grader]") {
  check_refused(twice_the_same, "Expected at least 3 trials with different values of n, got 2.");
  check_refused(too_large, "n = 11 is outside 0 to 10.");
  check_refused(a_half, "n = 2.5 is not a whole number.");
  check_refused(no_prediction, "The trial with n = 3 has no prediction.");
}

TEST_CASE("where an experiment throws is in the verdict", "[grader]") {
  const Verdict verdict = verdict_on_experiment(throws);
  CHECK(verdict.kind == Kind::threw);
  CHECK_FALSE(verdict.thrown_at.empty());
}
