// What later lessons use of earlier ones.
#include "course/check/used_lessons.h"

#include "catch.h"
#include "school.h"

using namespace headlight;
using namespace headlight::course;

TEST_CASE("a later lesson is built with what the learner wrote, once that has passed", "[course][used]") {
  School school;
  write_file(school.file("lessons/01_first/solution.cpp"), "#include <cmath>\nadd walk\n");
  school.third_uses = {"01_first"};
  Learner learner = school.learner();
  const auto used = [&] { return read_file(school.file("my/.used/01_first.cpp")); };
  learner.start("1");
  learner.start("3");
  Findings found = learner.check(learner.lesson("3"));
  CHECK(used() ==
        "#include \"01_first/kept.h\"\n#include <cmath>\n"
        "\nnamespace lesson_01 {\n#include <cmath>\nadd walk\n\n}\n");
  CHECK(contains(findings_text(found, learner.lesson("3"), 80, false), "Uses our solution of lesson 1."));

  write_file(school.file("my/01_first.cpp"), "#include <vector>\nadd\n");
  learner.check(learner.lesson("1"));  // not solved yet
  learner.check(learner.lesson("3"));
  CHECK(contains(used(), "<cmath>"));
  write_file(school.file("my/01_first.cpp"), "#include <vector>\nadd walk\n");
  learner.check(learner.lesson("1"));
  found = learner.check(learner.lesson("3"));
  CHECK(contains(used(), "namespace lesson_01 {\n#include <vector>\nadd walk\n"));
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

TEST_CASE("of a lesson that is solved in part, a later one uses the solved functions", "[course][used]") {
  School school;
  school.third_uses = {"01_first"};
  Learner learner = school.learner();
  learner.start("1");
  const std::string mine = "#include <vector>\nwalk // mine\n";
  write_file(school.file("my/01_first.cpp"), mine);
  learner.check(learner.lesson("1"));
  learner.start("3");
  const Findings found = learner.check(learner.lesson("3"));
  CHECK(read_file(school.file("my/.used/01_first.cpp")) ==
        "#include \"01_first/kept.h\"\n#include <vector>\n"
        "\nnamespace lesson_01 {\n"
        "\nnamespace has_add {\nadd walk\n\n}\n"
        "int add(const int& a,\n        int b) { return has_add::add(a, b); }\n"
        "\nnamespace has_walk {\n" +
            mine +
            "\n}\n"
            "int walk(int n) { return has_walk::walk(n); }\n"
            "\n}\n");
  CHECK(contains(findings_text(found, learner.lesson("3"), 80, false),
                 "Uses what you wrote in lesson 1. Of lesson 1, add is still our solution.\n"));
  write_file(school.file("my/01_first.cpp"), "nothing\n");  // what was solved stays
  learner.check(learner.lesson("1"));
  learner.check(learner.lesson("3"));
  CHECK(contains(read_file(school.file("my/.used/01_first.cpp")), "mine"));
}

TEST_CASE("several earlier lessons stand in one sentence", "[course][used]") {
  CHECK(used_sentence({}) == "");
  const auto all = [](const std::string& folder, bool learners) {
    return learners ? UsedLesson{folder, {"f"}, {}} : UsedLesson{folder, {}, {"f"}};
  };
  CHECK(used_sentence({all("05_a", true), all("06_b", true), all("08_c", true)}) ==
        "Uses what you wrote in lessons 5, 6 and 8.");
  CHECK(used_sentence({all("05_a", true), all("06_b", false), all("08_c", false)}) ==
        "Uses what you wrote in lesson 5, and our solution of lessons 6 and 8.");
  CHECK(used_sentence({{"07_c", {"f"}, {"g", "h"}}, all("08_d", false)}) ==
        "Uses what you wrote in lesson 7, and our solution of lesson 8. Of lesson 7, g and h are still our "
        "solution.");
}
