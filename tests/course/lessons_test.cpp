// The list of lessons.
#include "course/lessons.h"

#include "catch.h"
#include "headlight/system/files.h"
#include "temporary_folder.h"

using namespace headlight;
using namespace headlight::course;

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
