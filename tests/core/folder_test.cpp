// Folders that change as a whole.
#include "headlight/core/folder.h"

#include <algorithm>

#include "catch.h"
#include "headlight/core/files.h"
#include "headlight/core/process.h"
#include "temporary_folder.h"

using namespace headlight;

namespace {

namespace fs = std::filesystem;

bool is_own(const std::string& name) { return name == "own.txt"; }

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

TEST_CASE("a folder's new version takes its place, and what is not its own goes along", "[core]") {
  const TemporaryFolder folder;
  const fs::path target = folder.path() / "run";
  write_file(target / "own.txt", "old");
  write_file(target / "notes.txt", "mine");
  {
    const FolderLock lock(target);
    FolderDraft draft(lock, is_own);
    write_file(draft.path() / "own.txt", "new");
    CHECK(read_file(target / "own.txt") == "old");
    draft.place();
    CHECK(read_file(target / "own.txt") == "new");
    CHECK(read_file(target / "notes.txt") == "mine");
  }
  CHECK(names_in(folder.path()) == std::vector<std::string>{"run"});
}

TEST_CASE("a draft that is not placed leaves everything as it was", "[core]") {
  const TemporaryFolder folder;
  const fs::path target = folder.path() / "run";
  write_file(target / "own.txt", "old");
  {
    const FolderLock lock(target);
    const FolderDraft draft(lock, is_own);
    write_file(draft.path() / "own.txt", "new");
  }
  CHECK(read_file(target / "own.txt") == "old");
  CHECK(names_in(folder.path()) == std::vector<std::string>{"run"});
}

// As a process leaves it that was killed after the exchange, before the user's files had gone over.
TEST_CASE("what a killed process left half moved comes over the next time", "[core]") {
  const TemporaryFolder folder;
  const fs::path target = folder.path() / "run", left = folder.path() / ".run.draft";
  write_file(target / "own.txt", "new");
  write_file(target / "both.txt", "in place");
  write_file(left / "own.txt", "old");
  write_file(left / "notes.txt", "mine");
  write_file(left / "both.txt", "left behind");
  write_file(left / ".own.txt.123.0.part", "ha");
  {
    const FolderLock lock(target);
    const FolderDraft draft(lock, is_own);
    CHECK(names_in(draft.path()).empty());
  }
  CHECK(names_in(target) == std::vector<std::string>{"both.txt", "notes.txt", "own.txt"});
  CHECK(read_file(target / "own.txt") == "new");
  CHECK(read_file(target / "both.txt") == "in place");
}

// As it is left where two folders cannot be exchanged in one step.
TEST_CASE("a folder that was moved away comes back", "[core]") {
  const TemporaryFolder folder;
  const fs::path target = folder.path() / "run";
  write_file(folder.path() / ".run.old" / "own.txt", "old");
  write_file(folder.path() / ".run.draft" / "own.txt", "new");
  const FolderLock lock(target);
  const FolderDraft draft(lock, is_own);
  CHECK(read_file(target / "own.txt") == "old");
}

TEST_CASE("a folder has one lock, by whatever path it is named", "[core]") {
  const TemporaryFolder folder;
  const fs::path target = folder.path() / "run";
  fs::create_directories(target);
  fs::create_directory_symlink(target, folder.path() / "link");
  const FolderLock lock(target);
  for (const fs::path& name : {target / "", target / ".", folder.path() / "link"})
    CHECK(contains(error_of([&] { FolderLock again(name); }), "another run is writing to"));
  write_file(folder.path() / "file", "");
  CHECK(contains(error_of([&] { FolderLock on_a_file(folder.path() / "file"); }), "is a file, not a folder"));
}

TEST_CASE("a folder cannot be replaced from within", "[core]") {
  const TemporaryFolder folder;
  fs::create_directories(folder.path() / "run");
  const auto work = [&]() -> std::string {
    fs::current_path(folder.path() / "run");
    const FolderLock lock(".");
    return error_of([&] { FolderDraft draft(lock, is_own); });
  };
  CHECK(contains(run_in_copy(work).output, "while working in it. Hint: go one folder up"));
}
