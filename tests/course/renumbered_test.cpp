// What a learner has of a lesson whose number has changed.
#include "catch.h"
#include "school.h"

using namespace headlight;
using namespace headlight::course;

namespace {

std::vector<std::string> follow(const School& school) {
  return follow_numbers(school.file("my"), lessons_in(school.file("lessons")));
}

}  // namespace

// An earlier version, in which lesson 1 was lesson 7 and lesson 3 was lesson 1.
TEST_CASE("the work on a lesson follows its number", "[course]") {
  School school;
  for (const char* name : {"07_first.cpp", "07_first.1.cpp", "01_third.cpp", ".solved/07_first/add.cpp"})
    write_file(school.file(std::string("my/") + name), name);
  write_file(school.file("my/.progress.json"), R"({"working": "07_first", "lessons": {
    "07_first": {"solved": [true, true], "hints": {}}, "01_third": {"solved": [true, false], "hints": {}}}})");
  std::vector<std::string> sentences = follow(school);
  std::ranges::sort(sentences);
  CHECK(sentences ==
        std::vector<std::string>{"my/01_third.cpp is now my/03_third.cpp: its lesson has another number.",
                                 "my/07_first.1.cpp is now my/01_first.1.cpp: its lesson has another number.",
                                 "my/07_first.cpp is now my/01_first.cpp: its lesson has another number."});
  CHECK(school.mine("01_first") == "07_first.cpp");
  CHECK(school.mine("01_first.1") == "07_first.1.cpp");
  CHECK(school.mine("03_third") == "01_third.cpp");
  CHECK(read_file(school.file("my/.solved/01_first/add.cpp")) == ".solved/07_first/add.cpp");
  const Learner learner = school.learner();
  CHECK(learner.lesson("").folder == "01_first");
  CHECK(learner.solved(learner.lesson("1")));
  CHECK(learner.progress().of("03_third").solved == std::vector<bool>{true, false});
  CHECK(follow(school).empty());
}

TEST_CASE("a renamed lesson takes no other file's place, and other files keep their names", "[course]") {
  School school;
  CHECK(follow(school).empty());  // without my/
  const std::vector<std::string> names{"01_first.cpp", "07_first.cpp", "my_first.cpp", "07_first_try.cpp"};
  for (const std::string& name : names) write_file(school.file("my/" + name), name);
  CHECK(follow(school).empty());
  for (const std::string& name : names) CHECK(read_file(school.file("my/" + name)) == name);
}
