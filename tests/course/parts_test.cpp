// Each part of an exercise by itself: which are solved, what is said of them, and what is remembered.
#include <thread>

#include "catch.h"
#include "course/check/watch.h"
#include "school.h"

using namespace headlight;
using namespace headlight::course;

TEST_CASE("every part is graded, and the solved ones need not be the first", "[course]") {
  School school;
  Learner learner = school.learner();
  (void)learner.start("1");
  const Lesson lesson = learner.lesson("");
  write_file(school.file("my/01_first.cpp"), "walk\n");
  const Findings found = learner.check(lesson);
  CHECK(found.verdict->part == 0);
  CHECK(found.earned == std::vector<std::string>{"Part 2 ✓ walk"});
  CHECK(contains(lesson_list(learner, 80), "[··██] 1/2"));
  CHECK(learner.check(lesson).earned.empty());  // it was earned before
  write_file(school.file("my/01_first.cpp"), "add walk\n");
  CHECK(learner.check(lesson).earned == std::vector<std::string>{"Part 1 ✓ add: Lesson 3 adds."});
}

TEST_CASE("one part is graded alone, and all when it was the last", "[course]") {
  School school;
  Learner learner = school.learner();
  (void)learner.start("1");
  const auto [lesson, part] = learner.wanted("1.2");
  CHECK(part == 1);
  CHECK_FALSE(learner.wanted("1").part);
  CHECK(learner.wanted("").lesson.folder == "01_first");
  CHECK(error_of([&] { (void)learner.wanted("1.3"); }) == "lesson 01 has no part '3'; its parts are 1 to 2.");
  CHECK(contains(error_of([&] { (void)learner.wanted("1."); }), "no part ''"));
  write_file(school.file("my/01_first.cpp"), "walk\n");
  for (int i = 0; i < 2; ++i) {
    const Findings found = learner.check(lesson, {}, part);
    CHECK(found.solved());
    CHECK_FALSE(found.all_solved());
    CHECK(found.earned == std::vector<std::string>{"Part 2 ✓ walk"});  // each time
    CHECK(contains(findings_text(found, lesson, 80, false), "This part is solved."));
  }
  CHECK(learner.progress().of("01_first").solved == std::vector<bool>{false, true});
  write_file(school.file("my/01_first.cpp"), "add\n");  // walk is gone
  school.graded.clear();
  const Findings found = learner.check(lesson, {}, 0);
  CHECK(school.graded == std::vector<std::optional<std::size_t>>{0, std::nullopt});
  CHECK_FALSE(found.all_solved());
  CHECK(learner.progress().of("01_first").solved == std::vector<bool>{true, false});
  CHECK_FALSE(fs::exists(school.file("my/.solved/01_first.cpp")));
  CHECK(learner.hint(lesson, 1) == "walk, hint 1 of 1: Walk back.\n");
  CHECK(
      contains(error_of([&] { (void)learner.hint(learner.lesson("3"), 0); }), "there is no my/03_third.cpp"));
}

TEST_CASE("other parts that are wrong are named below the one that is shown", "[course]") {
  School school;
  Learner learner = school.learner();
  (void)learner.start("1");
  write_file(school.file("my/01_first.cpp"), "wrong\n");
  const Lesson lesson = learner.lesson("");
  CHECK(contains(findings_text(learner.check(lesson), lesson, 80, false),
                 "Also wrong: part 2 (wrong numbers). ./headlight check 1.2 shows part 2.\n"));
}

TEST_CASE("start says what comes next", "[course]") {
  School school;
  Learner learner = school.learner();
  CHECK(contains(learner.start("1"), "write the first part in place of its todo()"));
  write_file(school.file("my/01_first.cpp"), "add\n");
  (void)learner.check(learner.lesson(""));
  CHECK(contains(learner.start("1"), "write part 2, walk, in place of its todo()"));
  write_file(school.file("my/01_first.cpp"), "add walk\n");
  (void)learner.check(learner.lesson(""));
  CHECK(learner.start("1") ==
        "Lesson 1 is solved: all parts of my/01_first.cpp were right when they were checked last.\n"
        "Now the questions at the end of lessons/01_first/README.md; answers in questions.md.\n"
        "Next: ./headlight start 3    L\n"
        "./headlight reset 1    the exercise anew; your file is kept\n");
  (void)learner.start("3");
  write_file(school.file("my/03_third.cpp"), "add walk\n");
  (void)learner.check(learner.lesson("3"));
  CHECK(contains(learner.start("3"), "That was the last exercise.\n"));
}

TEST_CASE("the key for the next part goes around", "[course]") {
  CHECK(next_unsolved({false, true, false}, 0) == 2);
  CHECK(next_unsolved({false, true, false}, 2) == 0);
  CHECK(next_unsolved({true, false, true}, 1) == 1);
  CHECK_FALSE(next_unsolved({true, true}, 0));
  CHECK_FALSE(next_unsolved({}, 0));
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
  write_file(school.file("my/.progress.json"), with("1", "2"));  // of an older version
  CHECK(school.learner().progress().of("01_first").solved == std::vector<bool>{true, false});
  write_file(school.file("my/.progress.json"), with("[false, true]", "2"));
  CHECK(school.learner().progress().of("01_first").solved == std::vector<bool>{false, true});
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
  CHECK(school.learner().progress().lessons.at("03_third").count() == 2);
  CHECK(school.learner().progress().lessons.at("01_first").count() == 1);
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
