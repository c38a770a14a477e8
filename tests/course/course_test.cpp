// The list of lessons, and the course as it stands in lessons/: its parts, its map and its page.
#include "catch.h"
#include "course/course_map.h"
#include "course/course_page.h"
#include "headlight/system/files.h"
#include "temporary_folder.h"

namespace fs = std::filesystem;
using namespace headlight;
using namespace headlight::course;

namespace {

const fs::path kCourse = fs::path(HEADLIGHT_SOURCE_DIR) / "lessons";

Lesson lesson_needing(const std::string& number, std::vector<std::string> needs) {
  return {number + "_x",   number, "x", "X & Y", "do it", "20 minutes to read and 25 to solve",
          std::move(needs)};
}

std::size_t times(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_CASE("a lesson needs the lessons that its text links to under You need", "[course]") {
  const TemporaryFolder folder;
  fs::create_directories(folder.path() / "03_third");
  write_file(
      folder.path() / "03_third" / "README.md",
      "# Lesson 3: Third: the last\n\n**Afterwards you can** see.\n\nYou need [lesson 1](../01_a/README.md) "
      "and\n[2](../02_b/README.md).\n\nLater: [lesson 4](../04_d/README.md).\n");
  const std::vector<Lesson> lessons = lessons_in(folder.path());
  REQUIRE(lessons.size() == 1);
  CHECK(lessons[0].needs == std::vector<std::string>{"01", "02"});
  CHECK(lessons[0].title == "Third: the last");
}

TEST_CASE("direct needs leave out what follows", "[course]") {
  const std::vector<Lesson> lessons{lesson_needing("01", {}), lesson_needing("02", {"01"}),
                                    lesson_needing("03", {"01", "02"}), lesson_needing("04", {"01", "03"}),
                                    lesson_needing("05", {"01"})};
  CHECK(direct_needs(lessons) == std::vector<std::vector<std::string>>{{}, {"01"}, {"02"}, {"03"}, {"01"}});
}

TEST_CASE("parts are the headings of the front page, and no lesson is lost", "[course]") {
  const std::vector<Lesson> lessons{lesson_needing("01", {}), lesson_needing("02", {}),
                                    lesson_needing("03", {})};
  const auto parts = parts_of(
      "# L\n\n| [9](01_x/README.md) | |\n\n## Part I: One\n\n| [01](01_x/README.md) | a |\n\n## Words\n\n"
      "| [02](02_x/README.md) | b |\n\n## Part II: Two\n\n| [03](03_x/README.md) | c |\n",
      lessons);
  REQUIRE(parts.size() == 3);
  CHECK(parts[0].title == "Part I: One");
  CHECK(parts[0].lessons[0].number == "01");
  CHECK(parts[1].title == "Part II: Two");
  CHECK(parts[2].title.empty());
  CHECK(parts[2].lessons[0].number == "02");
}

TEST_CASE("the map has a box for each lesson, an arrow for each direct need, and what is solved",
          "[course]") {
  const std::vector<CoursePart> parts{{"Part I: A", {lesson_needing("01", {}), lesson_needing("02", {"01"})}},
                                      {"Part II: B", {lesson_needing("03", {"01", "02"})}}};
  Progress progress;
  progress.lessons["01_x"] = {{true, true}, {}};
  progress.lessons["02_x"] = {{false, true, false}, {}};
  const std::vector<Road> roads = roads_of(
      "[1](01_x/README.md)\n\n## Roads\n\n| | |\n|---|---|\n| To the end | [1](01_x/README.md), "
      "[3](03_x/README.md) |\n\n## Words\n\n[2](02_x/README.md)\n",
      {parts[0].lessons[0], parts[0].lessons[1], parts[1].lessons[0]});
  REQUIRE(roads.size() == 1);
  const std::string map = course_map(parts, roads, progress);
  CHECK(times(map, "class=\"road\"") == 3);  // two boxes, and below the map
  CHECK(contains(map, ">To the end<"));
  CHECK(contains(map, ">01, 03 · 1 h 30 min<"));
  CHECK(contains(map, ">01, 02, 03 · 2 h 15 min<"));
  CHECK(times(map, "<rect x=") == 3);
  CHECK(times(map, "marker-end") == 2);
  CHECK(times(map, "45 min") == 3);
  CHECK(times(map, "X &amp; Y") == 3);
  CHECK(contains(map, "2/2 solved ✓"));
  CHECK(contains(map, "1/3 solved<"));
  CHECK(minutes_in_all(parts[0].lessons[0]) == 45);
}

TEST_CASE("every lesson of the course stands in a part and names earlier lessons only", "[course]") {
  const std::vector<Lesson> lessons = lessons_in(kCourse);
  const std::vector<CoursePart> parts = parts_of(read_file(kCourse / "README.md"), lessons);
  REQUIRE_FALSE(parts.empty());
  for (const CoursePart& part : parts) {
    INFO(part.lessons.front().folder);
    CHECK(part.title.starts_with("Part "));
  }
  for (const Lesson& lesson : lessons) {
    INFO(lesson.folder);
    if (lesson.number > "02") CHECK_FALSE(lesson.needs.empty());
    for (const std::string& need : lesson.needs) {
      CHECK(need < lesson.number);
      CHECK_NOTHROW(find_lesson(lessons, need));
    }
    CHECK(minutes_in_all(lesson) >= 40);
    CHECK(minutes_in_all(lesson) <= 110);
    CHECK_FALSE(terms_of(read_file(kCourse / "glossary.md"), lesson).empty());
  }
  INFO("./headlight lessons --map lessons/map.svg draws it again, where nothing is solved");
  const std::vector<Road> roads = roads_of(read_file(kCourse / "README.md"), lessons);
  REQUIRE(roads.size() == 3);
  CHECK(numbers_of(roads[0]) == "02, 03, 04");
  CHECK(read_file(kCourse / "map.svg") == course_map(parts, roads, {}));
}

TEST_CASE("the page of the course has the map and a sheet for each part, from the texts", "[course]") {
  const TemporaryFolder folder;
  fs::create_directories(folder.path() / "lessons" / "01_x");
  write_file(folder.path() / "lessons/README.md", "## Part I: One\n\n| [01 x](01_x/README.md) | do |\n");
  write_file(
      folder.path() / "lessons/01_x/README.md",
      "# Lesson 1: Exes\n\n**Afterwards you can** cross `x < y`.\n\n**Takes** 1 minute to read and 2 to "
      "solve.\n");
  write_file(folder.path() / "lessons/01_x/exercise.cpp", "// Part 1 ★  cross\nint cross() { todo(); }\n");
  write_file(folder.path() / "lessons/glossary.md",
             "| **ex** (a letter) | A **letter** & more. | [1, Exes](01_x/README.md#exes) |\n");
  const std::string page = course_page(Learner({folder.path() / "lessons", folder.path() / "my"}, {}));
  CHECK(contains(page, "<h2>Part I: One</h2>"));
  CHECK(contains(page, "You can cross <code>x &lt; y</code>."));
  CHECK(contains(page, "<dt>ex</dt><dd>A <b>letter</b> &amp; more.</dd>"));
  CHECK(contains(page, "<code>cross</code>"));
  CHECK(times(page, "<svg") == 1);
  CHECK(contains(page, "default-src 'none'"));
}

TEST_CASE("lessons are found by number or by name, and nothing else", "[course]") {
  const TemporaryFolder folder;
  write_file(folder.path() / "02_two" / "README.md", "# Two\n\n**Afterwards you can** count to two.\n");
  write_file(folder.path() / "01_one" / "lesson.cpp", "");
  write_file(folder.path() / "notes" / "README.md", "");
  write_file(folder.path() / "story.h", "");
  const auto lessons = lessons_in(folder.path());
  REQUIRE(lessons.size() == 2);
  CHECK(lessons[0].promise.empty());
  CHECK(lessons[1].promise == "count to two.");
  for (const char* name : {"2", "02", "02_two"}) CHECK(find_lesson(lessons, name).name == "two");
  for (const char* name : {"3", "two", "0", "02_*"})
    CHECK(error_of([&] { find_lesson(lessons, name); }) ==
          "there is no lesson '" + std::string(name) + "'; expected one of 01, 02.");
  CHECK(contains(error_of([&] { find_lesson(lessons, ""); }), "which lesson?"));
}
