// The learner's loop, with a compiler and a grader made up.
#include "course/check/learner.h"

#include <map>
#include <thread>

#include "catch.h"
#include "course/check/watch.h"
#include "headlight/system/files.h"
#include "temporary_folder.h"

namespace fs = std::filesystem;
using namespace headlight;
using namespace headlight::course;

namespace {

// Two lessons with an exercise and one without. A part is solved when its name stands in the learner's file.
class School {
 public:
  School() {
    for (const std::string lesson : {"01_first", "02_second", "03_third"}) {
      fs::create_directories(folder_.path() / "lessons" / lesson);
      write_file(
          file("lessons/" + lesson + "/README.md"),
          "# Lesson 1: L\n\n**Afterwards you can** do it.\n\n**Takes** 5 minutes to read and 6 to solve.\n");
    }
    for (const std::string lesson : {"01_first", "03_third"}) {
      write_file(file("lessons/" + lesson + "/exercise.cpp"), "shipped\n");
      write_file(file("lessons/" + lesson + "/solution.cpp"), "add walk\n");
      write_file(file("lessons/" + lesson + "/hints.md"),
                 "# Hints\n\n## add\n\n1. Look at the sum.\n2. It is a sum\n   of two.\n\n## walk\n\n1. Walk "
                 "back.\n");
    }
  }

  fs::path file(const std::string& name) const { return folder_.path() / name; }
  std::string mine(const std::string& lesson) const { return read_file(file("my/" + lesson + ".cpp")); }

  Learner learner() {
    return {{file("lessons"), file("my")},
            {[this](const Lesson& lesson) {
               return lesson.folder == "03_third" ? third_uses : std::vector<std::string>{};
             },
             [this](const Lesson&, const fs::path&, const OnProgress&) {
               ++builds;
               if (on_build) on_build();
               if (breaks && breaks()) return Built{false, false, "used.cpp:1:1: error: no\n"};
               if (!fails_with.empty()) return Built{false, false, fails_with};
               const std::string source = mine("01_first");
               const bool ok = source.find("broken") == std::string::npos;
               return Built{ok, false, ok ? "" : "my/01_first.cpp:1:1: error: expected ';' before 'x'\n"};
             },
             [](const Lesson& lesson, const fs::path& file, const OnProgress&) {
               const std::string source = read_file(file);
               grader::Verdict v;
               if (source.starts_with("early")) {
                 v.kind = grader::Kind::crashed;
                 v.message = "it ended the program (exit 0)";
                 return v;
               }
               v.lesson = lesson.folder;
               for (const std::string part : {"add", "walk"})
                 v.parts.push_back({part, 1, source.find(part) != std::string::npos});
               while (v.part < 2 && v.parts[v.part].solved) ++v.part;
               v.kind = v.part == 2 ? grader::Kind::solved : grader::Kind::not_written;
               v.call = "add(1, 2)";
               return v;
             }}};
  }

  std::vector<std::string> third_uses;  // earlier lessons
  int builds = 0;
  std::function<void()> on_build;
  std::function<bool()> breaks;  // whether the build fails outside of the learner's file
  std::string fails_with;        // what a build prints that fails for another reason than the code

 private:
  TemporaryFolder folder_;
};

}  // namespace

TEST_CASE("start lays the exercise out once and never over what was written", "[course]") {
  School school;
  Learner learner = school.learner();
  CHECK(contains(learner.start("1"), "The exercise of lesson 01 is in my/01_first.cpp."));
  CHECK(school.mine("01_first") == "shipped\n");
  write_file(school.file("my/01_first.cpp"), "add\n");
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
  fs::remove(school.file("my/01_first.cpp"));
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
  CHECK(found.verdict->part == 2);
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
  CHECK(learner.progress().lessons.at("01_first").solved == 1);
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
  write_file(school.file("my/01_first.cpp"), "add walk\n");
  CHECK(school.learner().hint(lesson) == "Every part is solved.\n");
}

TEST_CASE("the solution is shown after solving, or on a firm request", "[course]") {
  School school;
  Learner learner = school.learner();
  (void)learner.start("1");
  const Lesson lesson = learner.lesson("");
  CHECK(contains(error_of([&] { (void)learner.solution(lesson, false, 80); }), "--anyway"));
  CHECK(contains(learner.solution(lesson, true, 80), "Yours:\n\nshipped\n\nThe solution:\n\nadd walk\n"));
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
    CHECK(school.mine("01_first") == "shipped\n");
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

TEST_CASE("a damaged progress file is named", "[course]") {
  School school;
  (void)school.learner().start("1");
  const auto with = [](const std::string& solved, const std::string& parts) {
    return R"({"working": "01_first", "lessons": {"01_first": {"hints": {}, "solved": )" + solved +
           R"(, "parts": )" + parts + "}}}";
  };
  for (const std::string& text :
       {std::string("{"), with("0", "3000000000"), with("3", "2"), with("-1", "2")}) {
    write_file(school.file("my/.progress.json"), text);
    CHECK(contains(error_of([&] { (void)school.learner(); }), ".progress.json' is damaged. Hint: delete it"));
  }
  write_file(school.file("my/.progress.json"), with("2", "2"));
  CHECK_NOTHROW(school.learner());
}

TEST_CASE("what another process stores of another lesson stays", "[course]") {
  School school;
  Learner watching = school.learner();
  (void)watching.start("1");
  Learner other = school.learner();
  (void)other.start("3");
  write_file(school.file("my/03_third.cpp"), "add walk\n");
  (void)other.check(other.lesson("3"));
  write_file(school.file("my/01_first.cpp"), "add\n");
  (void)watching.check(watching.lesson("1"));
  CHECK(school.learner().progress().lessons.at("03_third").solved == 2);
  CHECK(school.learner().progress().lessons.at("01_first").solved == 1);
}

TEST_CASE("the progress is stored by one process at a time", "[course]") {
  const TemporaryFolder folder;
  constexpr int kEach = 30;
  const auto count = [&] {
    for (int i = 0; i < kEach; ++i)
      (void)change_progress(folder.path(), [](Progress& progress) { ++progress.lessons["01"].hints["add"]; });
  };
  std::thread other(count);
  count();
  other.join();
  CHECK(load_progress(folder.path()).lessons.at("01").hints.at("add") == 2 * kEach);
  CHECK_FALSE(fs::exists(folder.path() / ".progress.lock"));
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
  CHECK(progress_bar(*found.verdict) == "");
  CHECK(school.learner().progress().lessons.at("01_first").solved == 1);
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
      CHECK(lines.back().starts_with("h hint   n next"));
      CHECK(contains(lines[rows - 3], "... more"));
    }
  CHECK_FALSE(contains(watch_screen(lesson, "", "short\n", 80, 24, false)[2], "more"));
}

TEST_CASE("a later lesson is built with what the learner wrote, once that has passed", "[course][used]") {
  School school;
  write_file(school.file("lessons/01_first/solution.cpp"), "#include <cmath>\nadd walk\n");
  school.third_uses = {"01_first"};
  Learner learner = school.learner();
  const auto used = [&] { return read_file(school.file("my/.used/01_first.cpp")); };
  learner.start("1");
  learner.start("3");
  Findings found = learner.check(learner.lesson("3"));
  CHECK(used() == "#include <cmath>\nadd walk\n");
  CHECK(contains(findings_text(found, learner.lesson("3"), 80, false), "Uses our solution of lesson 1."));

  write_file(school.file("my/01_first.cpp"), "#include <vector>\nadd\n");
  learner.check(learner.lesson("1"));  // not solved yet
  learner.check(learner.lesson("3"));
  CHECK(contains(used(), "<cmath>"));
  write_file(school.file("my/01_first.cpp"), "#include <vector>\nadd walk\n");
  learner.check(learner.lesson("1"));
  found = learner.check(learner.lesson("3"));
  CHECK(used() == "#include <vector>\nadd walk\n");
  CHECK(contains(findings_text(found, learner.lesson("3"), 80, false), "Uses what you wrote in lesson 1."));
  write_file(school.file("my/01_first.cpp"), "add\n");  // changed since: what passed is used
  learner.check(learner.lesson("3"));
  CHECK(read_file(school.file("my/.solved/01_first.cpp")) == "#include <vector>\nadd walk\n");
}

TEST_CASE("what a learner wrote and does not compile in a later lesson gives way to the solution",
          "[course][used]") {
  School school;
  school.third_uses = {"01_first"};
  Learner learner = school.learner();
  learner.start("1");
  write_file(school.file("my/01_first.cpp"), "add walk // mine\n");
  learner.check(learner.lesson("1"));
  learner.start("3");
  school.breaks = [&] { return contains(read_file(school.file("my/.used/01_first.cpp")), "mine"); };
  const Findings found = learner.check(learner.lesson("3"));
  CHECK(contains(findings_text(found, learner.lesson("3"), 80, false),
                 "Uses our solution of lesson 1. What you wrote does not compile here."));
}

TEST_CASE("several earlier lessons stand in one sentence", "[course][used]") {
  CHECK(used_sentence({}) == "");
  CHECK(used_sentence({{"05_a", true}, {"06_b", true}, {"08_c", true}}) ==
        "Uses what you wrote in lessons 5, 6 and 8.");
  CHECK(used_sentence({{"05_a", true}, {"06_b", false}, {"08_c", false}}) ==
        "Uses what you wrote in lesson 5, and our solution of lessons 6 and 8.");
}
