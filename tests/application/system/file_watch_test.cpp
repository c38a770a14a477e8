// A save is seen wherever it is made.
#include "system/file_watch.h"

#include "catch.h"
#include "headlight/system/files.h"
#include "temporary_folder.h"

using namespace headlight;
namespace fs = std::filesystem;

TEST_CASE("a save is seen through a link, in a folder that was replaced, and of a file that was missing",
          "[system]") {
  const TemporaryFolder folder;
  const fs::path mine = folder.path() / "my" / "a.cpp", elsewhere = folder.path() / "b.cpp";
  fs::create_directory(mine.parent_path());
  write_file(elsewhere, "1");
  fs::create_symlink(elsewhere, mine);
  system::FileWatch watch({mine});
  CHECK_FALSE(watch.changed());
  write_file(elsewhere, "12");
  CHECK(watch.changed());
  CHECK_FALSE(watch.changed());
  fs::rename(mine.parent_path(), folder.path() / "old");
  CHECK(watch.changed());
  fs::create_directory(mine.parent_path());
  write_file(mine, "123");
  CHECK(watch.changed());
  write_file(mine, "1234");
  CHECK(watch.changed());
  CHECK_FALSE(watch.changed());
}
