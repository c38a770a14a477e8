// Folders that change as a whole.
#include "headlight/system/folder.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>

#include "catch.h"
#include "headlight/system/files.h"
#include "headlight/system/process.h"
#include "temporary_folder.h"

using namespace headlight;

namespace {

namespace fs = std::filesystem;

bool is_own(const std::string& name) { return name == "own.txt" || name == "part"; }

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

// A new version of a folder whose old one has files of its own and of the user's.
struct Replaced {
  TemporaryFolder temporary;
  fs::path target = temporary.path() / "run", draft = hidden_name(target, "draft"),
           old = hidden_name(target, "old");

  // The temporary folder holds the target alone: no draft, no lock, no old version.
  void check_alone() const { CHECK(names_in(temporary.path()) == std::vector<std::string>{"run"}); }
};

}  // namespace

TEST_CASE("a folder's new version takes its place, and the user's files go along", "[core]") {
  const Replaced r;
  write_file(r.target / "own.txt", "old");
  write_file(r.target / "part" / "gone.txt", "old");
  write_file(r.target / "notes.txt", "mine");
  write_file(r.target / "more" / "notes.txt", "mine too");
  replace_folder(FolderLock(r.target), {{"own.txt", "new"}, {"part/deep/new.txt", "new too"}}, is_own);
  CHECK(names_in(r.target) == std::vector<std::string>{"more", "notes.txt", "own.txt", "part"});
  CHECK(read_file(r.target / "own.txt") == "new");
  CHECK(names_in(r.target / "part") == std::vector<std::string>{"deep"});
  CHECK(read_file(r.target / "part" / "deep" / "new.txt") == "new too");
  CHECK(read_file(r.target / "notes.txt") == "mine");
  CHECK(read_file(r.target / "more" / "notes.txt") == "mine too");
  r.check_alone();
}

TEST_CASE("a user's file whose name the new version takes gets a ~ behind it", "[core]") {
  const Replaced r;
  write_file(r.target / "notes.txt", "mine");
  replace_folder(FolderLock(r.target), {{"own.txt", "new"}, {"notes.txt", "of the new version"}}, is_own);
  CHECK(read_file(r.target / "notes.txt") == "of the new version");
  CHECK(read_file(r.target / "notes.txt~") == "mine");
}

TEST_CASE("a version that cannot be written leaves the old one as it was", "[core]") {
  const Replaced r;
  write_file(r.target / "own.txt", "old");
  write_file(r.target / "notes.txt", "mine");
  const std::string missing_folder = error_of([&] {
    replace_folder(FolderLock(r.target), {{"own.txt", "new"}, {"own.txt/x", ""}}, is_own);
  });
  CHECK(contains(missing_folder, "cannot make the folder"));
  const auto on_a_full_disk = [&] {
    system::report_size_limit();
    const rlimit limit{1000, 1000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    return error_of([&] {
      replace_folder(FolderLock(r.target), {{"own.txt", "new"}, {"part/x", std::string(1001, 'x')}}, is_own);
    });
  };
  CHECK(contains(run_in_copy(on_a_full_disk).output, ": File too large."));
  CHECK(read_file(r.target / "own.txt") == "old");
  CHECK(names_in(r.target) == std::vector<std::string>{"notes.txt", "own.txt"});
  r.check_alone();
}

TEST_CASE("a draft that a killed process left is removed", "[core]") {
  const Replaced r;
  write_file(r.target / "own.txt", "old");
  write_file(r.draft / "own.txt", "half");
  recover_interrupted_save(r.target, is_own);
  CHECK(read_file(r.target / "own.txt") == "old");
  r.check_alone();
  write_file(r.draft / "part" / "of the draft", "half");
  replace_folder(FolderLock(r.target), {{"own.txt", "new"}}, is_own);
  CHECK(names_in(r.target) == std::vector<std::string>{"own.txt"});
  r.check_alone();
}

// As a process leaves it that was killed after the exchange, before the user's files had gone over.
TEST_CASE("the user's files come over from a version that a killed process replaced", "[core]") {
  const bool by_the_next_save = GENERATE(false, true);
  const Replaced r;
  write_file(r.target / "own.txt", "new");
  write_file(r.target / "both.txt", "in place");
  write_file(r.draft / "own.txt", "old");
  write_file(r.draft / "notes.txt", "mine");
  write_file(r.draft / "both.txt", "left behind");
  if (by_the_next_save)
    replace_folder(FolderLock(r.target), {{"own.txt", "newer"}}, is_own);
  else
    recover_interrupted_save(r.target, is_own);
  CHECK(names_in(r.target) == std::vector<std::string>{"both.txt", "both.txt~", "notes.txt", "own.txt"});
  CHECK(read_file(r.target / "own.txt") == (by_the_next_save ? "newer" : "new"));
  CHECK(read_file(r.target / "both.txt") == "in place");
  CHECK(read_file(r.target / "both.txt~") == "left behind");
  CHECK(read_file(r.target / "notes.txt") == "mine");
  r.check_alone();
}

// As it is left where two folders cannot be exchanged in one step: killed after the first of two renames.
TEST_CASE("a folder that was moved away comes back", "[core]") {
  const Replaced r;
  write_file(r.old / "own.txt", "old");
  write_file(r.old / "notes.txt", "mine");
  write_file(r.draft / "own.txt", "new");
  recover_interrupted_save(r.target, is_own);
  CHECK(read_file(r.target / "own.txt") == "old");
  CHECK(read_file(r.target / "notes.txt") == "mine");
  r.check_alone();
}

// Killed after the second of the two.
TEST_CASE("the user's files in a folder that was moved away come over", "[core]") {
  const Replaced r;
  write_file(r.old / "own.txt", "old");
  write_file(r.old / "more" / "notes.txt", "mine");
  write_file(r.target / "own.txt", "new");
  {
    const FolderLock lock(r.target);
    recover_interrupted_save(r.target, is_own);  // not while another process may be at it
    CHECK_FALSE(fs::exists(r.target / "more"));
  }
  recover_interrupted_save(r.target, is_own);
  CHECK(read_file(r.target / "own.txt") == "new");
  CHECK(read_file(r.target / "more" / "notes.txt") == "mine");
  r.check_alone();
}

TEST_CASE("the user's files outlive the folder from which they had not come over", "[core]") {
  const Replaced r;
  write_file(r.draft / "own.txt", "old");
  write_file(r.draft / "notes.txt", "mine");
  recover_interrupted_save(r.target, is_own);
  CHECK(names_in(r.target) == std::vector<std::string>{"notes.txt"});
  r.check_alone();
}

TEST_CASE("a folder that was not there and whose version was half written is not there", "[core]") {
  const Replaced r;
  write_file(r.draft / "own.txt", "half");
  recover_interrupted_save(r.target, is_own);
  CHECK(names_in(r.temporary.path()).empty());
}

TEST_CASE("a process that is killed at any time leaves the old version or the new one", "[core]") {
  const Replaced r;
  const auto files = [](char version) {
    Files all;
    for (int i = 0; i < 20; ++i) all[fmt::format("part/{}", i)] = std::string(2000, version);
    return all;
  };
  replace_folder(FolderLock(r.target), files('a'), is_own);
  write_file(r.target / "notes.txt", "mine");
  for (int time = 0; time < 12; ++time) {
    const pid_t child = ::fork();
    if (child == 0) {
      for (char version = 'b';; version = version == 'y' ? 'b' : static_cast<char>(version + 1)) try {
          replace_folder(FolderLock(r.target), files(version), is_own);
        } catch (...) {
          ::_exit(1);
        }
    }
    ::usleep(3000 + 1700 * time);
    ::kill(child, SIGKILL);
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status));
    recover_interrupted_save(r.target, is_own);
    CHECK(names_in(r.target) == std::vector<std::string>{"notes.txt", "part"});
    const std::string first = read_file(r.target / "part" / "0");
    for (int i = 0; i < 20; ++i) CHECK(read_file(r.target / "part" / std::to_string(i)) == first);
    CHECK(read_file(r.target / "notes.txt") == "mine");
    { const FolderLock lock(r.target); }  // which a killed process does not keep
    r.check_alone();
  }
}

TEST_CASE("a folder has one lock, by whatever path it is named", "[core]") {
  const TemporaryFolder folder;
  const fs::path target = folder.path() / "run";
  fs::create_directories(target);
  fs::create_directory_symlink(target, folder.path() / "link");
  {
    const FolderLock lock(target);
    for (const fs::path& name : {target, target / "", target / ".", folder.path() / "link"})
      CHECK(error_of([&] { FolderLock again(name); }) ==
            fmt::format("another process is writing to '{}'. Hint: wait for it, or choose another folder.",
                        name.string()));
    CHECK_FALSE(FolderLock::try_to_take(target));
    CHECK(contains(run_in_copy([&] { return error_of([&] { FolderLock again(target); }); }).output,
                   "another process is writing to"));
  }
  CHECK_NOTHROW(FolderLock(target));
  CHECK(FolderLock::try_to_take(target));
}

TEST_CASE("a lock takes no file for a folder", "[core]") {
  const TemporaryFolder folder;
  write_file(folder.path() / "file", "");
  fs::create_symlink("nowhere", folder.path() / "dangling");
  for (const char* name : {"file", "dangling"})
    CHECK(contains(error_of([&] { FolderLock lock(folder.path() / name); }), "' is not a folder."));
}

TEST_CASE("a folder cannot be replaced from within", "[core]") {
  const TemporaryFolder folder;
  fs::create_directories(folder.path() / "run" / "a" / "b");
  for (const auto& [below, name] : {std::pair{"run", "."}, {"run/a/b", "../.."}}) {
    const auto work = [&, at = below, target = name]() -> std::string {
      fs::current_path(folder.path() / at);
      return error_of([&] { replace_folder(FolderLock(target), {{"own.txt", ""}}, is_own); });
    };
    CHECK(contains(run_in_copy(work).output, "run' while working in it. Hint: go to a folder that is not"));
  }
}

TEST_CASE("what others have named like a draft stays", "[core]") {
  const Replaced r;
  const fs::path beside = r.temporary.path();
  write_file(beside / ".run.draft" / "own.txt", "mine");
  write_file(beside / ".run.lock", "mine");
  replace_folder(FolderLock(r.target), {{"own.txt", "new"}}, is_own);
  CHECK(read_file(beside / ".run.draft" / "own.txt") == "mine");
  CHECK(read_file(beside / ".run.lock") == "mine");
}
