// Folders that change as a whole.
#include "headlight/system/folder.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "catch.h"
#include "headlight/system/files.h"
#include "headlight/system/process.h"
#include "temporary_folder.h"

using namespace headlight;

namespace {

namespace fs = std::filesystem;

bool is_own(const fs::directory_entry& entry) { return entry.path().filename() == "own.txt"; }

// A file of any name, as other programs write it.
void put(const fs::path& file, const std::string& text) { std::ofstream(file) << text; }

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
  const fs::path target = folder.path() / "run", left = own_name(target, "draft");
  write_file(target / "own.txt", "new");
  write_file(target / "both.txt", "in place");
  write_file(left / "own.txt", "old");
  write_file(left / "notes.txt", "mine");
  write_file(left / "both.txt", "left behind");
  put(left / ".own.txt.headlight.123.0.part", "ha");
  {
    const FolderLock lock(target);
    const FolderDraft draft(lock, is_own);
    CHECK(names_in(draft.path()).empty());
  }
  CHECK(names_in(target) == std::vector<std::string>{"both.txt", "both.txt~", "notes.txt", "own.txt"});
  CHECK(read_file(target / "own.txt") == "new");
  CHECK(read_file(target / "both.txt") == "in place");
  CHECK(read_file(target / "both.txt~") == "left behind");
}

// As it is left where two folders cannot be exchanged in one step.
TEST_CASE("a folder that was moved away comes back", "[core]") {
  const TemporaryFolder folder;
  const fs::path target = folder.path() / "run";
  write_file(own_name(target, "old") / "own.txt", "old");
  write_file(own_name(target, "draft") / "own.txt", "new");
  settle_folder(target, is_own);  // as who reads it does
  CHECK(read_file(target / "own.txt") == "old");
  CHECK(names_in(folder.path()) == std::vector<std::string>{"run"});
}

// Killed after the second of the two renames.
TEST_CASE("files in a folder that was moved away come over", "[core]") {
  const TemporaryFolder folder;
  const fs::path target = folder.path() / "run";
  write_file(own_name(target, "old") / "own.txt", "old");
  write_file(own_name(target, "old") / "more" / "notes.txt", "mine");
  write_file(target / "own.txt", "new");
  {
    const FolderLock lock(target);
    settle_folder(target, is_own);  // not while another may be at it
    CHECK_FALSE(fs::exists(target / "more"));
    const FolderDraft draft(lock, is_own);
  }
  CHECK(read_file(target / "own.txt") == "new");
  CHECK(read_file(target / "more" / "notes.txt") == "mine");
  CHECK(names_in(folder.path()) == std::vector<std::string>{"run"});
}

TEST_CASE("what fails once a new version is in its place says that it is", "[core]") {
  const TemporaryFolder folder;
  const fs::path target = folder.path() / "run";
  write_file(target / "own.txt", "old");
  const FolderLock lock(target);
  FolderDraft draft(lock, [](const fs::directory_entry&) -> bool { fail("cannot tell whose it is."); });
  write_file(draft.path() / "own.txt", "new");
  CHECK(error_of([&] { draft.place(); }) ==
        fmt::format("cannot tell whose it is. What was saved is in '{}' all the same.", target.string()));
  CHECK(read_file(target / "own.txt") == "new");
}

TEST_CASE("a draft leaves what others have named like it", "[core]") {
  const TemporaryFolder folder;
  const fs::path target = folder.path() / "run";
  write_file(folder.path() / ".run.draft" / "own.txt", "mine");
  write_file(folder.path() / ".run.lock", "mine");
  write_file(target / ".own.txt.1.0.part", "mine");
  {
    const FolderLock lock(target);
    FolderDraft draft(lock, is_own);
    write_file(draft.path() / "own.txt", "new");
    draft.place();
  }
  CHECK(read_file(folder.path() / ".run.draft" / "own.txt") == "mine");
  CHECK(read_file(folder.path() / ".run.lock") == "mine");
  CHECK(read_file(target / ".own.txt.1.0.part") == "mine");
}

TEST_CASE("what is no folder has a draft's name: it is named, and stays", "[core]") {
  const TemporaryFolder folder;
  const fs::path target = folder.path() / "run", other = folder.path() / "other";
  write_file(target / "notes.txt", "mine");
  for (const char* what : {"draft", "old"})
    for (const bool link : {true, false}) {
      const fs::path there = own_name(target, what);
      write_file(other / "own.txt", "of another");
      write_file(other / "notes.txt", "mine too");
      if (link)
        fs::create_directory_symlink("other", there);
      else
        put(there, "mine");
      settle_folder(target, is_own);
      const FolderLock lock(target);
      CHECK(error_of([&] { FolderDraft(lock, is_own); }) ==
            fmt::format("'{}' has the name of a folder that Headlight writes, but is a link or a file. Hint: "
                        "delete it.",
                        there.string()));
      CHECK(names_in(other) == std::vector<std::string>{"notes.txt", "own.txt"});
      CHECK(names_in(target) == std::vector<std::string>{"notes.txt"});
      CHECK(fs::exists(there));
      fs::remove(there);
    }
}

TEST_CASE("a link or a file that takes a locked folder's name is set aside", "[core]") {
  const TemporaryFolder folder;
  const fs::path target = folder.path() / "run", other = folder.path() / "other";
  write_file(other / "own.txt", "of another");
  for (const bool link : {true, false}) {
    const FolderLock lock(target);
    if (link)
      fs::create_directory_symlink("other", target);
    else
      write_file(target, "mine");
    FolderDraft draft(lock, is_own);
    write_file(draft.path() / "own.txt", "new");
    draft.place();
    CHECK(fs::is_directory(fs::symlink_status(target)));
    CHECK(read_file(target / "own.txt") == "new");
    fs::remove_all(target);
  }
  CHECK(read_file(other / "own.txt") == "of another");
  CHECK(names_in(folder.path()) == std::vector<std::string>{"other", "run~", "run~~"});
  CHECK(fs::is_symlink(folder.path() / "run~"));
  CHECK(read_file(folder.path() / "run~~") == "mine");
}

// Nobody but root may move it: in a copy of the process that is not root.
TEST_CASE("a read-only folder of the user's is not in the way of later versions", "[core]") {
  const TemporaryFolder folder;
  const fs::path target = folder.path() / "run";
  fs::permissions(folder.path(), fs::perms::all);
  const auto work = [&] {
    if (::geteuid() == 0) REQUIRE(::setuid(12345) == 0);
    write_file(target / "own.txt", "old");
    write_file(target / "notes.txt", "mine");
    fs::create_directory(target / "kept");
    fs::permissions(target / "kept", fs::perms::owner_read | fs::perms::owner_exec);
    const FolderLock lock(target);
    const auto place = [&] {
      FolderDraft draft(lock, is_own);
      write_file(draft.path() / "own.txt", "new");
      draft.place();
    };
    const std::string error = error_of(place);
    place();
    return error;
  };
  CHECK(run_in_copy(work).output ==
        fmt::format(
            "cannot move 'kept' into '{0}': Permission denied. It stays in '{0}~'. What was saved is in "
            "'{0}' all the same.",
            target.string()));
  CHECK(names_in(folder.path()) == std::vector<std::string>{"run", "run~"});
  CHECK(names_in(target) == std::vector<std::string>{"notes.txt", "own.txt"});
  CHECK(names_in(folder.path() / "run~") == std::vector<std::string>{"kept"});
}

TEST_CASE("a folder keeps its permissions", "[core]") {
  const TemporaryFolder folder;
  const fs::path target = folder.path() / "run";
  fs::create_directory(target);
  fs::permissions(target, fs::perms::owner_all);
  const FolderLock lock(target);
  FolderDraft(lock, is_own).place();
  CHECK(fs::status(target).permissions() == fs::perms::owner_all);
}

TEST_CASE("a folder has one lock, by whatever path it is named", "[core]") {
  const TemporaryFolder folder;
  const fs::path target = folder.path() / "run";
  fs::create_directories(target);
  fs::create_directory_symlink(target, folder.path() / "link");
  const FolderLock lock(target);
  for (const fs::path& name : {target / "", target / ".", folder.path() / "link"})
    CHECK(contains(error_of([&] { FolderLock again(name); }), "another run (process "));
  CHECK(contains(error_of([&] { FolderLock again(target); }), ") is writing to '" + target.string() + "'."));
  write_file(folder.path() / "file", "");
  fs::create_symlink("nowhere", folder.path() / "dangling");
  CHECK(contains(error_of([&] { FolderLock on_a_link(folder.path() / "dangling"); }), "link to nowhere"));
  CHECK(contains(error_of([&] { FolderLock on_a_file(folder.path() / "file"); }), "is a file, not a folder"));
}

TEST_CASE("a lock says who has it, on one line", "[core]") {
  const TemporaryFolder folder;
  const FolderLock lock(folder.path() / "run", "./headlight train\n--out x");
  const std::string error = error_of([&] { FolderLock again(folder.path() / "run"); });
  CHECK(contains(error, fmt::format("another run (process {}, ./headlight train↵--out x, since 2",
                                    system::process_number())));
}

TEST_CASE("a lock leaves no folders behind", "[core]") {
  const TemporaryFolder folder;
  { const FolderLock lock(folder.path() / "a" / "b" / "run"); }
  CHECK(names_in(folder.path()).empty());
}

TEST_CASE("a folder cannot be replaced from within", "[core]") {
  const TemporaryFolder folder;
  fs::create_directories(folder.path() / "run");
  fs::create_directories(folder.path() / "run" / "a" / "b");
  for (const auto& [below, name] : {std::pair{"run", "."}, {"run/a/b", "../.."}}) {
    const auto work = [&, at = below, target = name]() -> std::string {
      fs::current_path(folder.path() / at);
      const FolderLock lock(target);
      return error_of([&] { FolderDraft draft(lock, is_own); });
    };
    CHECK(contains(run_in_copy(work).output, "run' while working in it. Hint: go to a folder that is not"));
  }
}

TEST_CASE("a folder that users share is not replaced", "[core]") {
  const TemporaryFolder folder;
  const fs::path shared = folder.path() / "shared";
  fs::create_directory(shared);
  fs::permissions(shared, fs::perms::all | fs::perms::sticky_bit);
  const FolderLock lock(shared);
  CHECK(contains(error_of([&] { FolderDraft draft(lock, is_own); }), "other users' files may be there"));
}

TEST_CASE("half a draft does not take a folder's place", "[core]") {
  const TemporaryFolder folder;
  const fs::path target = folder.path() / "run";
  write_file(target / "own.txt", "old");
  const FolderLock lock(target);
  {
    FolderDraft draft(lock, is_own);
    write_file(draft.path() / "own.txt", "new");
    fs::rename(draft.path(), folder.path() / "elsewhere");
    write_file(draft.path() / "own.txt", "other");  // which makes the folder anew
    CHECK(contains(error_of([&] { draft.place(); }), "draft' was moved or removed while it was written"));
  }
  CHECK(read_file(target / "own.txt") == "old");
}

TEST_CASE("a draft is its user's alone until it takes its place", "[core]") {
  const TemporaryFolder folder;
  const fs::path target = folder.path() / "run";
  const auto before = ::umask(022);
  const FolderLock lock(target);
  FolderDraft draft(lock, is_own);
  CHECK(fs::status(draft.path()).permissions() == fs::perms::owner_all);
  draft.place();
  ::umask(before);
  CHECK(fs::status(target).permissions() == static_cast<fs::perms>(0755));
}

TEST_CASE("what is left of a folder that is gone gets a name that the user sees", "[core]") {
  const TemporaryFolder folder;
  const fs::path target = folder.path() / "run", left = folder.path() / ".run.headlight.draft";
  write_file(left / "own.txt", "old");
  write_file(left / "notes.txt", "mine");
  settle_folder(target, is_own);
  CHECK(names_in(folder.path()) == std::vector<std::string>{"run~"});
  CHECK(names_in(folder.path() / "run~") == std::vector<std::string>{"notes.txt"});
  write_file(left / "own.txt", "old");
  settle_folder(target, is_own);
  CHECK(names_in(folder.path()) == std::vector<std::string>{"run~"});
}

TEST_CASE("names of hidden files of our own are none to save under", "[core]") {
  const TemporaryFolder folder;
  for (const char* name :
       {".run.headlight.draft", ".run.headlight.lock", ".run.headlight.old", ".run.headlight.12.0.part"}) {
    const fs::path path = folder.path() / name;
    CHECK(contains(error_of([&] { write_file(path, "x"); }), "has a name that Headlight gives to hidden"));
    CHECK(contains(error_of([&] { FolderLock lock(path); }), "has a name that Headlight gives to hidden"));
  }
  CHECK_NOTHROW(write_file(folder.path() / ".run.headlight.json", "x"));
}

TEST_CASE("the lock of a process that is gone is removed, one that is held stays", "[core]") {
  const TemporaryFolder folder;
  const fs::path target = folder.path() / "run", lock_file = folder.path() / ".run.headlight.lock";
  put(lock_file, "");
  remove_abandoned_lock(target);
  CHECK_FALSE(fs::exists(lock_file));
  const FolderLock lock(target);
  remove_abandoned_lock(target);
  CHECK(fs::exists(lock_file));
}
