// What a class is told: counts of mistakes, a typical line, tables and the page.
#include "catch.h"
#include "course/class/class_page.h"
#include "course/class/class_tables.h"
#include "headlight/system/files.h"
#include "temporary_folder.h"

namespace fs = std::filesystem;
using Catch::Matchers::ContainsSubstring;
using namespace headlight;
using namespace headlight::course;

namespace {

using grader::Kind;

GradedFile file_of(Kind first, Kind second, const std::string& source, const char* mistake = nullptr) {
  GradedFile file{{"01_first", {{"add", 1}, {"walk", 2}}}, "", source};
  file.marks.parts[0].kind = first;
  file.marks.parts[1].kind = second;
  if (mistake != nullptr)
    file.marks.parts[0].mistake = grader::Verdict::KnownMistake{
        mistake, "The sentence of " + std::string(mistake) + ".", "Signs & sums"};
  return file;
}

const std::string kSolution = "// Part 1 ★  add\nint add() {\n  return a + b;\n}\n// Part 2 ★★  walk\n";

std::string wrong(const std::string& line) {
  return "// Part 1 ★  add\nint add() {\n  " + line +
         "  // by Ann Smith\n}\n// Part 2 ★★  walk\nint other;\n";
}

// Four students: one right, two with one mistake, one whose file does not compile.
GradedClass some_class() {
  Lesson lesson;
  lesson.folder = "01_first", lesson.number = "01", lesson.title = "First";
  GradedFile broken{{"01_first", {{"add", 1}, {"walk", 2}}}, "does not compile: line 3: expected ';'", "x"};
  return {{lesson},
          {{"Ann", {file_of(Kind::solved, Kind::solved, kSolution)}, ""},
           {"=Ben", {file_of(Kind::wrong_numbers, Kind::not_written, wrong("return a - b;"), "minus")}, ""},
           {"Cem", {file_of(Kind::wrong_numbers, Kind::crashed, wrong("return a - b;"), "minus")}, ""},
           {"Dan", {broken}, ""}},
          3};
}

// Of lessons/ with the solution.
ClassSummary summary(const GradedClass& graded) {
  const TemporaryFolder folder;
  fs::create_directories(folder.path() / "01_first");
  write_file(folder.path() / "01_first/solution.cpp", kSolution);
  return summary_of(graded, folder.path());
}

}  // namespace

TEST_CASE("the mistakes of a class are counted by name, with a line of code without its author", "[course]") {
  const ClassSummary found = summary(some_class());
  REQUIRE(found.mistakes.size() == 1);
  CHECK(found.mistakes[0].known.name == "minus");
  CHECK(found.mistakes[0].students == std::vector<std::string>{"=Ben", "Cem"});
  CHECK(found.mistakes[0].line == "return a - b;");
  REQUIRE(found.parts.size() == 2);
  CHECK(found.parts[0].passed == 1);
  CHECK(found.parts[0].wrong == 2);
  CHECK(found.parts[0].not_graded == 1);
  CHECK(found.parts[1].not_written == 1);
  CHECK(found.parts[1].stuck == std::vector<std::string>{"Cem"});
}

TEST_CASE("a line of somebody who solved the part is no mistake, also where our solution is not there",
          "[course]") {
  const ClassSummary found = summary_of(some_class(), "/nowhere");
  CHECK(found.mistakes[0].line == "return a - b;");
}

TEST_CASE("a part that calls a wrong one is counted apart", "[course]") {
  GradedClass graded = some_class();
  graded.students[2].files[0].marks.parts[1].after = 0;
  const ClassSummary found = summary(graded);
  CHECK(found.parts[1].wrong == 0);
  CHECK(found.parts[1].after_another == 1);
  CHECK(found.parts[1].stuck.empty());
}

TEST_CASE("a terminal shows a class with a line a student", "[course]") {
  const GradedClass graded = some_class();
  const std::string text = class_text(graded, summary(graded), 80);
  CHECK_THAT(text, ContainsSubstring("Ann      ✓✓        3/3\n"));
  CHECK_THAT(text, ContainsSubstring("=Ben     ✗·        0/3\n"));
  CHECK_THAT(text, ContainsSubstring("Dan      ––        0/3  does not compile: line 3: expected ';'"));
  CHECK_THAT(text, ContainsSubstring("2 ×  1.1 minus. The sentence of minus."));
  CHECK_THAT(text, ContainsSubstring("Read again: Signs & sums"));
}

TEST_CASE("a part is listed that more than a third did not solve, whether wrong or not written", "[course]") {
  GradedClass graded = some_class();
  graded.students.resize(3);
  const auto text_with = [&](std::size_t not_written) {
    for (std::size_t student = 0; student < 3; ++student)
      graded.students[student].files = {
          file_of(Kind::solved, student < not_written ? Kind::not_written : Kind::solved, kSolution)};
    return class_text(graded, summary(graded), 80);
  };
  CHECK_THAT(text_with(2),
             ContainsSubstring("1.2 walk   1 of 3 solved it; 0 wrong; 0 call a wrong part; 2 not written"));
  CHECK_THAT(text_with(1), !ContainsSubstring("1.2 walk   "));  // a third, and not more
  graded.students.push_back(graded.students[0]);
  CHECK_THAT(class_text(graded, summary(graded), 80), ContainsSubstring("1.2 walk   2 of 4 solved it"));
}

TEST_CASE("a gradebook gets marks by lesson and part, and no cell is a formula", "[course]") {
  const std::string csv = class_csv(some_class());
  CHECK_THAT(csv, ContainsSubstring("name,01_first,score,max_score,1.1,1.2,problem\n"));
  CHECK_THAT(csv, ContainsSubstring("\"Ann\",3,3,3,\"solved\",\"solved\",\"\"\n"));
  CHECK_THAT(csv, ContainsSubstring("\"'=Ben\",0,0,3,\"minus\",\"not written yet\",\"\"\n"));
  CHECK_THAT(csv, ContainsSubstring("\"Dan\",0,0,3,\"not graded\",\"not graded\",\"does not compile"));
}

TEST_CASE("the page of a class names who is stuck, and no author of a line", "[course]") {
  const GradedClass graded = some_class();
  const std::string page = class_page(graded, summary(graded), "My <class>");
  CHECK_THAT(page, ContainsSubstring("<title>My &lt;class&gt;</title>"));
  CHECK_THAT(page, ContainsSubstring("<code>return a - b;</code>"));
  CHECK_THAT(page, ContainsSubstring("lesson 1, “Signs &amp; sums”"));
  CHECK_THAT(page, ContainsSubstring("=Ben, Cem"));
  CHECK_THAT(page, !ContainsSubstring("Ann Smith"));
}
