// Mistakes behind switches: each alone, each two together, and what is said when two pairs are alike.
#include "grader/slips.h"

#include <cmath>
#include <utility>

#include "catch.h"
#include "exercise.h"
#include "grader/bank.h"
#include "grader/judge.h"

using namespace headlight::grader;

namespace slips {
namespace {

using F = std::function<double(double)>;

double right(double x) { return x; }

double with_slips(const Made& made, double x) {
  if (made("cut")) x = std::max(x, -1.0);
  if (made("sign-lost")) x = std::abs(x);
  if (made("squared")) x *= x;
  return x + (made("one") ? 1 : 0) + (made("two") ? 2 : 0) + (made("four") ? 4 : 0) + (made("five") ? 5 : 0);
}

std::vector<Mistake<F>> bank() {
  return slips_of<F>(with_slips, {{"cut", "Do not cut.", "Cuts"},
                                  {"sign-lost", "Keep the sign.", "Signs"},
                                  {"squared", "Do not square.", "Squares"},
                                  {"one", "Not 1.", "Sums"},
                                  {"two", "Not 2.", "Sums"},
                                  {"four", "Not 4.", "Sums"},
                                  {"five", "Not 5.", "Sums"}});
}

Part part_of(const F& learner, std::vector<Mistake<F>> mistakes = bank()) {
  const std::vector<Case<F>> cases{calling<F>("f(-3)", named("x", -3.0)),
                                   calling<F>("f(-5)", named("x", -5.0))};
  return part<F>("f", 1, learner, right, cases, std::move(mistakes));
}

Verdict::KnownMistake named_for(const F& learner) {
  const auto named = judge_part(part_of(learner), kLearner).mistake;
  REQUIRE(named);
  return *named;
}

}  // namespace

TEST_CASE("slips are named alone and two together", "[grader]") {
  CHECK(bank().size() == 7 + 21);
  CHECK(named_for([](double x) { return x + 2; }).name == "two");
  const auto two = named_for([](double x) { return 1 - x; });
  CHECK(two.name == "sign-lost + one");
  CHECK(two.sentence == "Two mistakes together give your numbers. First: Keep the sign. Second: Not 1.");
  CHECK(two.read == "Signs");
}

TEST_CASE("what several pairs have in common is named beside something else", "[grader]") {
  const auto shared = named_for([](double) { return 1; });
  CHECK(shared.name == "cut + something else");
  CHECK(shared.sentence ==
        "Your numbers are those of a known mistake together with another one. Which the other one is, the "
        "numbers do not say. The known one: Do not cut.");
  CHECK(shared.read == "Cuts");
}

TEST_CASE("of pairs with nothing in common one is named as a possibility", "[grader]") {
  const auto either = named_for([](double x) { return x + 6; });
  CHECK(either.name == "two + four, or others");
  CHECK(
      either.sentence ==
      "Two mistakes together give your numbers. First: Not 2. Second: Not 4. This is one possibility: other "
      "mistakes together give the same numbers.");
}

TEST_CASE("pairs that say the same are one", "[grader]") {
  std::vector<Mistake<F>> written_twice = bank();
  for (Mistake<F>& mistake : written_twice) {
    if (mistake.name == "one" || mistake.name == "two") mistake.sentence = "Not that.";
    if (mistake.name == "four" || mistake.name == "five") mistake.sentence = "Nor that.";
  }
  const auto pair = judge_part(part_of([](double x) { return x + 6; }, written_twice), kLearner).mistake;
  REQUIRE(pair);
  CHECK(pair->name == "two + four");
}

TEST_CASE("pairs that are alike are no fault of a bank", "[grader]") {
  const Part part = part_of(right);
  CHECK(faults_of_bank({"00_test", {part}}).empty());
}

}  // namespace slips
