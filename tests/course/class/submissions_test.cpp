// What a class handed in.
#include "course/class/submissions.h"

#include "catch.h"
#include "headlight/core/check.h"
#include "headlight/system/files.h"
#include "headlight/system/process.h"
#include "temporary_folder.h"

namespace fs = std::filesystem;
using Catch::Matchers::ContainsSubstring;
using namespace headlight;
using namespace headlight::course;

namespace {

const std::vector<Lesson> kLessons{{"01_first", "01", "", "", "", "", {}},
                                   {"02_second", "02", "", "", "", "", {}}};

void put(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  write_file(file, text);
}

}  // namespace

TEST_CASE("of each student the file in my/ is taken, and none of a hidden folder", "[course]") {
  const TemporaryFolder folder;
  put(folder.path() / "ann/project/my/01_first.cpp", "mine");
  put(folder.path() / "ann/01_first.cpp", "nearer");
  put(folder.path() / "ann/project/my/.solved/02_second.cpp", "hidden");
  put(folder.path() / "ben/deep/er/02_second.cpp", "deep");
  put(folder.path() / "ben/02_second.cpp", "near");
  put(folder.path() / "ben/old_02_second.cpp", "another name");
  put(folder.path() / "readme.txt", "no submission");
  const std::vector<Submission> all = submissions_in(folder.path(), kLessons);
  REQUIRE(all.size() == 2);
  CHECK(all[0].name == "ann");
  CHECK(all[0].files == std::map<std::string, std::string>{{"01_first", "mine"}});
  CHECK(all[1].files == std::map<std::string, std::string>{{"02_second", "near"}});
}

TEST_CASE("archives are read, and names are without what a course system appends", "[course]") {
  const TemporaryFolder folder;
  put(folder.path() / "in/my/01_first.cpp", "mine");
  fs::create_directories(folder.path() / "all");
  REQUIRE(run_process({.words = {"tar", "-czf", (folder.path() / "all/ann.b.tar.gz").string(), "./my"},
                       .folder = folder.path() / "in"})
              .ok());
  put(folder.path() / "all/Ben Lee_4711_assignsubmission_file_/01_first.cpp", "ben's");
  const std::vector<Submission> all = submissions_in(folder.path() / "all", kLessons);
  REQUIRE(all.size() == 2);
  CHECK(all[0].name == "Ben Lee");
  CHECK(all[1].name == "ann.b");
  CHECK(all[1].files.at("01_first") == "mine");
}

TEST_CASE("a list of names adds who handed nothing in", "[course]") {
  const TemporaryFolder folder;
  put(folder.path() / "all/a1/01_first.cpp", "x");
  put(folder.path() / "all/a2/notes.txt", "x");
  put(folder.path() / "names.csv", "a1,\"Ann\"\r\n\na3, Cem\n");
  const std::vector<Submission> all =
      submissions_in(folder.path() / "all", kLessons, folder.path() / "names.csv");
  REQUIRE(all.size() == 3);
  CHECK(all[0].name == "Ann");
  CHECK(all[0].problem.empty());
  CHECK(all[1].name == "Cem");
  CHECK(all[1].problem == "nothing was handed in");
  CHECK(all[2].name == "a2");
  CHECK(all[2].problem == "it has no file of an exercise");
  put(folder.path() / "names.csv", "a1;Ann\n");
  CHECK_THROWS_WITH(submissions_in(folder.path() / "all", kLessons, folder.path() / "names.csv"),
                    ContainsSubstring("line 1: expected 'folder,name', got 'a1;Ann'"));
  CHECK_THROWS_WITH(submissions_in(folder.path() / "none", kLessons), ContainsSubstring("is no folder"));
  fs::create_directories(folder.path() / "empty");
  CHECK_THROWS_WITH(submissions_in(folder.path() / "empty", kLessons),
                    ContainsSubstring("has no submissions"));
}
