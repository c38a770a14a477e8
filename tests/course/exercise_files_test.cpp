// How a learner's file is laid out and kept.
#include "course/check/exercise_files.h"

#include <barrier>
#include <thread>

#include "catch.h"
#include "headlight/system/files.h"
#include "temporary_folder.h"

namespace fs = std::filesystem;
using namespace headlight;
using namespace headlight::course;

namespace {

ExercisePaths paths_in(const fs::path& folder) {
  write_file(folder / "shipped", "shipped");
  fs::create_directories(folder / "my");
  return {folder / "shipped", "", "", folder / "my" / "01.cpp", "my/01.cpp"};
}

}  // namespace

TEST_CASE("two resets at once lose no file", "[course]") {
  for (int round = 0; round < 50; ++round) {
    const TemporaryFolder folder;
    const ExercisePaths paths = paths_in(folder.path());
    write_file(paths.mine, "mine");
    std::barrier together(2);
    const auto reset = [&] {
      together.arrive_and_wait();
      (void)start_anew(paths);
    };
    std::thread other(reset);
    reset();
    other.join();
    CHECK(read_file(folder.path() / "my" / "01.1.cpp") == "mine");
    CHECK(read_file(paths.mine) == "shipped");
  }
}

TEST_CASE("a link that leads nowhere is no place for an exercise", "[course]") {
  const TemporaryFolder folder;
  const ExercisePaths paths = paths_in(folder.path());
  const fs::path target = folder.path() / "elsewhere" / "01.cpp";
  fs::create_symlink(target, paths.mine);
  const std::string error =
      "my/01.cpp is a link to '" + target.string() + "', which is not there. Hint: remove the link.";
  CHECK(error_of([&] { lay_out(paths); }) == error);
  CHECK(error_of([&] { start_anew(paths); }) == error);
  CHECK_FALSE(fs::exists(folder.path() / "elsewhere"));
}

TEST_CASE("a link is kept as it is, with the file that it leads to", "[course]") {
  const TemporaryFolder folder;
  const ExercisePaths paths = paths_in(folder.path());
  const fs::path target = folder.path() / "01.cpp";
  write_file(target, "mine");
  fs::create_symlink(target, paths.mine);
  CHECK_FALSE(lay_out(paths));
  CHECK(start_anew(paths) == "my/01.1.cpp");
  CHECK(fs::read_symlink(folder.path() / "my" / "01.1.cpp") == target);
  CHECK(read_file(target) == "mine");
  CHECK(read_file(paths.mine) == "shipped");
}
