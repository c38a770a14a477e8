// What a process that was killed while it replaced a folder leaves to the next one.
#include "headlight/core/folder.h"

#include "catch.h"
#include "headlight/core/files.h"
#include "temporary_folder.h"

using namespace headlight;

TEST_CASE("what a killed process had not carried over yet is brought back", "[files]") {
  const TemporaryFolder folder;
  const auto target = folder.path() / "run", left = folder.path() / ".run.draft";
  write_file(target / "own.txt", "new");
  write_file(target / "both.txt", "of the new folder");
  write_file(left / "own.txt", "old");
  write_file(left / "both.txt", "of the old folder");
  write_file(left / "notes.txt", "mine");
  write_file(left / ".half.txt.1.0.part", "half");
  const FolderLock lock(target);
  {
    const FolderDraft draft(lock, [](const std::string& name) { return name == "own.txt"; });
    CHECK(std::filesystem::is_empty(draft.path()));
    CHECK(read_file(target / "own.txt") == "new");
    CHECK(read_file(target / "both.txt") == "of the new folder");
    CHECK(read_file(target / "notes.txt") == "mine");
    CHECK_FALSE(std::filesystem::exists(target / ".half.txt.1.0.part"));
  }
  CHECK_FALSE(std::filesystem::exists(left));
}
