// Marks as data.
#include "course/check/marks.h"

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "catch.h"
#include "course/school.h"

using namespace headlight;
using namespace headlight::course;

namespace {

// Of the school's exercise "add" (a star) and "walk" (two).
Findings findings(grader::Kind add, grader::Kind walk) {
  Findings found;
  grader::Verdict verdict;
  verdict.lesson = "01_first";
  verdict.parts = {{"add", 1}, {"walk", 2}};
  verdict.parts[0].kind = add;
  verdict.parts[1].kind = walk;
  found.verdict = verdict;
  return found;
}

}  // namespace

TEST_CASE("a part earns its stars whatever became of those before it", "[course]") {
  School school;
  const Learner learner = school.learner();
  const Lesson& lesson = learner.lessons()[0];
  const Marks marks =
      marks_of(learner.places(), lesson, findings(grader::Kind::wrong_numbers, grader::Kind::solved));
  CHECK(marks.score() == 2);
  CHECK(marks.most() == 3);
  CHECK_FALSE(marks.all_passed());
  const Marks missing = marks_of(learner.places(), lesson);
  CHECK(missing.score() == 0);
  CHECK(missing.most() == 3);
}

TEST_CASE("a part that calls a wrong one has no mistake of its own", "[course]") {
  School school;
  const Learner learner = school.learner();
  Findings found = findings(grader::Kind::wrong_numbers, grader::Kind::wrong_numbers);
  found.verdict->parts[0].mistake = grader::Verdict::KnownMistake{"minus", "A minus is missing.", "Signs"};
  found.verdict->parts[1].mistake = grader::Verdict::KnownMistake{"slow", "It is slow.", "Speed"};
  found.verdict->parts[1].after = 0;
  const Lesson& lesson = learner.lessons()[0];
  const auto json = json_of(marks_of(learner.places(), lesson, found), lesson, found, "the text");
  CHECK(json["parts"][0]["mistake"]["name"] == "minus");
  CHECK(json["parts"][0]["mistake"]["read"] == "Signs");
  CHECK(json["parts"][0]["after"].is_null());
  CHECK(json["parts"][1]["mistake"].is_null());
  CHECK(json["parts"][1]["after"] == 1);
  CHECK(json["parts"][1]["kind"] == "wrong numbers");
  CHECK(json["score"] == 0);
  CHECK(json["max-score"] == 3);
  CHECK(json["compiles"] == true);
  CHECK(json["shown"] == "the text");
}

TEST_CASE("a file that does not compile passes nothing, and its error is told", "[course]") {
  School school;
  const Learner learner = school.learner();
  Findings found;
  found.error = CompileError{7, 3, "expected ';'", ""};
  const Lesson& lesson = learner.lessons()[0];
  const auto json = json_of(marks_of(learner.places(), lesson, found), lesson, found, "");
  CHECK(json["compiles"] == false);
  CHECK(json["error"]["line"] == 7);
  CHECK(json["error"]["message"] == "expected ';'");
  CHECK(json["parts"].size() == 2);
  CHECK(json["parts"][1]["kind"].is_null());
}

TEST_CASE("a result has the form that Classroom 50 collects", "[course]") {
  School school;
  const Learner learner = school.learner();
  const Marks marks =
      marks_of(learner.places(), learner.lessons()[0], findings(grader::Kind::solved, grader::Kind::crashed));
  const auto result =
      classroom_result({"cs", "hw1", "individual", "ann", "submit/1", "https://c", "https://r", "", ""},
                       tests_of({marks, marks}));
  CHECK(result["schema"] == "classroom50/result/v1");
  CHECK(result["owner"] == "ann");
  CHECK(result["assignment_type"] == "individual");
  CHECK(result["review"] == "https://c");  // as Classroom 50 has it where there is none
  CHECK(result["score"] == 2);
  CHECK(result["max-score"] == 6);
  REQUIRE(result["tests"].size() == 4);
  CHECK(result["tests"][0]["test-name"] == "01_first.1 add");
  CHECK(result["tests"][0]["passed"] == true);
  CHECK(result["tests"][1]["score"] == 0);
  CHECK(result["tests"][1]["max-score"] == 2);
  const std::string time = result["datetime"];
  REQUIRE(time.size() == std::string("2026-11-29T14:00:00Z").size());
  CHECK(time[10] == 'T');
  CHECK(time.back() == 'Z');
  CHECK(classroom_result({"", "", "", "", "", "", "", "", "2020-01-02T03:04:05Z"}, {})["datetime"] ==
        "2020-01-02T03:04:05Z");
}
