// The learner's loop, with a compiler and a grader made up.
#include "course/check/learner.h"

#include "catch.h"
#include "course/check/watch.h"
#include "school.h"

using namespace headlight;
using namespace headlight::course;

TEST_CASE("start lays the exercise out once and never over what was written", "[course]") {
  School school;
  Learner learner = school.learner();
  CHECK(contains(learner.start("1"), "The exercise of lesson 01 is in my/01_first.cpp."));
  CHECK(school.mine("01_first").starts_with("// Part 1 ★  add\n"));
  write_file(school.file("my/01_first.cpp"), "add\n");
  CHECK(contains(learner.start("1"), "./headlight hint       a nudge"));
  std::filesystem::remove(school.file("lessons/01_first/hints.md"));  // of a class without hints
  CHECK_FALSE(contains(learner.start("1"), "./headlight hint"));
  CHECK(contains(learner.start("1"), "was left as it is"));
  CHECK(school.mine("01_first") == "add\n");
  CHECK(learner.lesson("").folder == "01_first");
  CHECK(school.learner().lesson("").folder == "01_first");  // the next call of the program too
}

TEST_CASE("without a number the first lesson is started, and the one in work is meant", "[course]") {
  School school;
  Learner learner = school.learner();
  CHECK(contains(error_of([&] { (void)learner.lesson(""); }), "Hint: ./headlight start 1"));
  (void)learner.start("");
  CHECK(learner.lesson("").folder == "01_first");
  CHECK(contains(error_of([&] { (void)learner.lesson("2"); }), "lesson 02 has no exercise"));
  CHECK(contains(error_of([&] { (void)learner.lesson("7"); }), "there is no lesson '7'"));
  CHECK(learner.next(learner.lesson("1"))->folder == "03_third");
  CHECK(learner.next(learner.lesson("3")) == nullptr);
}

TEST_CASE("a check counts the parts that are solved, and remembers them", "[course]") {
  School school;
  Learner learner = school.learner();
  (void)learner.start("1");
  CHECK(learner.check(learner.lesson("")).verdict->part == 0);
  write_file(school.file("my/01_first.cpp"), "add\n");
  (void)learner.check(learner.lesson(""));
  CHECK(contains(lesson_list(learner, 80), "[██··] 1/2"));
  CHECK_FALSE(learner.solved(learner.lesson("")));
  write_file(school.file("my/01_first.cpp"), "add walk\n");
  CHECK(learner.check(learner.lesson("")).solved());
  CHECK(learner.solved(learner.lesson("")));
  CHECK(school.learner().solved(learner.lesson("")));
}

TEST_CASE("what is wrong is said with its file and line", "[course]") {
  School school;
  Learner learner = school.learner();
  learner.start("1");
  const Lesson& lesson = learner.lesson("1");
  const auto found = [&](const std::string& text) {
    write_file(school.file("my/01_first.cpp"), text);
    return findings_text(learner.check(lesson), lesson, 80, false);
  };
  CHECK(found("// Part 1 ★  add\nadd\n// Part 2 ★★  walk\nwrong\n").ends_with("\nmy/01_first.cpp:4\n"));
  CHECK(found("early\n").ends_with("\nmy/01_first.cpp:1\n"));  // the heads of the parts are gone
  CHECK(found("\nbroken\n").starts_with("my/01_first.cpp:1:1: it does not compile."));
  CHECK_FALSE(contains(found("add walk\n"), "my/01_first.cpp:"));
}

TEST_CASE("every lesson is checked in a line", "[course]") {
  School school;
  Learner learner = school.learner();
  const Lesson& first = learner.lesson("1");
  const auto checks = [&](const std::string& words, bool solved) {
    const CheckedLine line = checked_line(learner, first);
    CHECK(contains(line.text, words));
    CHECK(line.solved == solved);
  };
  checks("not started: ./headlight start 01\n", false);
  (void)learner.start("1");
  write_file(school.file("my/01_first.cpp"), "add\n");
  checks("[██··] 1/2  ./headlight check 01\n", false);
  write_file(school.file("my/01_first.cpp"), "add walk\n");
  checks("01  L                                   [████] 2/2\n", true);
  write_file(school.file("my/01_first.cpp"), "broken\n");  // after it was solved once
  checks("does not compile: ./headlight check 01\n", false);
  std::filesystem::remove(school.file("my/01_first.cpp"));
  checks("not started", false);
}

TEST_CASE("a file that is saved while it is graded is graded again", "[course]") {
  School school;
  Learner learner = school.learner();
  (void)learner.start("1");
  school.on_build = [&] {
    if (school.builds == 1) write_file(school.file("my/01_first.cpp"), "add walk\n");
  };
  const Findings found = learner.check(learner.lesson(""));
  CHECK(school.builds == 2);
  CHECK(found.source == "add walk\n");
  CHECK(found.verdict->all_solved());
}

TEST_CASE("a file that does not compile changes no progress", "[course]") {
  School school;
  Learner learner = school.learner();
  (void)learner.start("1");
  write_file(school.file("my/01_first.cpp"), "add\n");
  (void)learner.check(learner.lesson(""));
  write_file(school.file("my/01_first.cpp"), "broken\n");
  const Findings found = learner.check(learner.lesson(""));
  REQUIRE(found.error);
  CHECK_FALSE(found.solved());
  const std::string text = findings_text(found, learner.lesson(""), 80, false);
  CHECK(contains(text, "    1 | broken\n"));
  CHECK(contains(text, "All that the compiler said: my/.compiler.txt\n"));
  CHECK(contains(read_file(school.file("my/.compiler.txt")), ": error: expected ';' before 'x'\n"));
  CHECK(learner.progress().lessons.at("01_first").count() == 1);
}

TEST_CASE("of a build that fails without an error in code the line that says why is shown", "[course]") {
  School school;
  Learner learner = school.learner();
  (void)learner.start("1");
  const auto error_with = [&](const std::string& log) {
    school.fails_with = log;
    return error_of([&] { (void)learner.check(learner.lesson("")); });
  };
  CHECK(error_with(
            "ninja: Entering directory `b'\n[1/2] Linking x\n/usr/bin/ld: cannot open x: no space\ncollect2: "
            "error: ld returned 1\nninja: build stopped: subcommand failed.\n") ==
        "the build failed: /usr/bin/ld: cannot open x: no space. Hint: the exercise as it was shipped stands "
        "in lessons/01_first/.");
  CHECK(contains(error_with("c++: fatal error: Killed signal\ncompilation terminated.\n"),
                 ": Killed signal. Hint"));
  CHECK(contains(error_with("[1/2] x\nninja: error: loading 'build.ninja': no\n"),
                 "failed: ninja: error: loading"));
  CHECK(contains(error_with("\n"), "the build failed: it said nothing. Hint"));
  CHECK(error_with(std::string(10000, 'x') + "\x1b[2J").size() < 400);
}

TEST_CASE("hints come one by one for the part in work, and begin again", "[course]") {
  School school;
  Learner learner = school.learner();
  (void)learner.start("1");
  const Lesson lesson = learner.lesson("");
  CHECK(learner.hint(lesson) == "add, hint 1 of 2: Look at the sum.\n");
  CHECK(school.learner().hint(lesson) == "add, hint 2 of 2: It is a sum of two.\n");
  CHECK(school.learner().hint(lesson) == "add, hint 1 of 2: Look at the sum.\n");
  write_file(school.file("my/01_first.cpp"), "add\n");
  CHECK(school.learner().hint(lesson) == "walk, hint 1 of 1: Walk back.\n");
  write_file(school.file("my/01_first.cpp"), "add broken\n");  // does not compile
  CHECK(school.learner().hint(lesson) == "walk, hint 1 of 1: Walk back.\n");
  write_file(school.file("my/01_first.cpp"), "add walk\n");
  CHECK(school.learner().hint(lesson) == "Every part is solved.\n");
}

TEST_CASE("the solution is shown after solving, or on a firm request", "[course]") {
  School school;
  Learner learner = school.learner();
  (void)learner.start("1");
  const Lesson lesson = learner.lesson("");
  CHECK(contains(error_of([&] { (void)learner.solution(lesson, false, 80); }), "--anyway"));
  CHECK(contains(learner.solution(lesson, true, 80), "experiment\n\nThe solution:\n\nadd walk\n"));
  CHECK(contains(learner.solution(lesson, true, 130), " │ add walk"));
  write_file(school.file("my/01_first.cpp"), "add walk\n");
  (void)learner.check(lesson);
  CHECK_NOTHROW(learner.solution(lesson, false, 80));
}

TEST_CASE("reset keeps the old files beside the new one", "[course]") {
  School school;
  Learner learner = school.learner();
  (void)learner.start("1");
  for (const std::string name : {"1", "2"}) {
    write_file(school.file("my/01_first.cpp"), "mine " + name);
    CHECK(contains(learner.reset("1"), "kept as my/01_first." + name + ".cpp"));
    CHECK(read_file(school.file("my/01_first." + name + ".cpp")) == "mine " + name);
    CHECK(school.mine("01_first").starts_with("// Part 1 ★  add\n"));
  }
}

TEST_CASE("after a reset an exercise is not solved", "[course]") {
  School school;
  Learner learner = school.learner();
  (void)learner.start("1");
  const Lesson lesson = learner.lesson("");
  write_file(school.file("my/01_first.cpp"), "add walk\n");
  (void)learner.check(lesson);
  CHECK_NOTHROW(learner.solution(lesson, false, 80));
  (void)learner.reset("1");
  CHECK(contains(error_of([&] { (void)learner.solution(lesson, false, 80); }), "--anyway"));
  CHECK(contains(error_of([&] { (void)school.learner().solution(lesson, false, 80); }), "--anyway"));
}

TEST_CASE("a program that ends before its first part changes no progress", "[course]") {
  School school;
  Learner learner = school.learner();
  (void)learner.start("1");
  const Lesson lesson = learner.lesson("");
  write_file(school.file("my/01_first.cpp"), "add\n");
  (void)learner.check(lesson);
  write_file(school.file("my/01_first.cpp"), "early\n");
  const Findings found = learner.check(lesson);
  CHECK_FALSE(found.solved());
  CHECK(school.learner().progress().lessons.at("01_first").count() == 1);
  CHECK(learner.hint(lesson) == "The program ends before its first part: ./headlight check says how.\n");
  CHECK(contains(checked_line(learner, lesson).text, "ends before its first part:  ./headlight check 01\n"));
}

TEST_CASE("the list shows each lesson with its minutes, aligned", "[course]") {
  School school;
  Learner learner = school.learner();
  (void)learner.start("3");
  const std::string list = lesson_list(learner, 80);
  CHECK(contains(list,
                 "  01  L                               not started\n      do it.\n      5 minutes to read "
                 "and 6 to solve, after none\n"));
  CHECK(contains(list, "  02  L                               no exercise\n"));
  CHECK(contains(list, "→ 03  L"));
}

TEST_CASE("the screen fits any terminal and keeps its title and keys", "[course]") {
  const Lesson lesson{"01_first", "01", "first", "First", "", "", {}};
  std::string body;
  for (int i = 0; i < 100; ++i) body += std::string(300, 'x') + "\n";
  for (const std::size_t rows : {6, 24, 60})
    for (const std::size_t columns : {40, 80, 200}) {
      const auto lines = watch_screen(lesson, "[██··] 1/2", body, columns, rows, false);
      CHECK(lines.size() == rows);
      for (const std::string& line : lines) CHECK(fitted(line, columns).starts_with(line));
      CHECK(lines.front().starts_with("01 first   [██··] 1/2"));
      CHECK(lines.back().starts_with("h hint   n next part"));
      CHECK(contains(lines[rows - 3], "... more"));
    }
  CHECK_FALSE(contains(watch_screen(lesson, "", "short\n", 80, 24, false)[2], "more"));
}

TEST_CASE("a mark says how many parts are solved, and a tick that all are", "[course]") {
  CHECK(LessonProgress{}.mark() == "");
  CHECK(LessonProgress{{true, false, true}, {}}.mark() == "2/3");
  CHECK(LessonProgress{{true, true}, {}}.mark() == "2/2 ✓");
}
