// What only the operating system can do.
#include "headlight/system/system.h"

#include <fmt/format.h>

#include <filesystem>
#include <functional>

#include "catch.h"
#include "headlight/system/files.h"
#include "headlight/system/process.h"
#include "temporary_folder.h"

using namespace headlight;

TEST_CASE("two folders change places", "[system]") {
  const TemporaryFolder folder;
  const auto a = folder.path() / "a", b = folder.path() / "b";
  write_file(a / "old", "1");
  write_file(b / "new", "2");
  if (!system::exchange(a, b)) {
    WARN("skipped: this system cannot exchange folders");
    return;
  }
  CHECK(read_file(a / "new") == "2");
  CHECK(read_file(b / "old") == "1");
  CHECK(contains(error_of([&] { system::exchange(a, folder.path() / "none"); }), "cannot exchange"));
}

TEST_CASE("the time of a file is exact to the microsecond, and a missing file has none", "[system]") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "file", none = folder.path() / "none";
  write_file(file, "");
  const auto usual = std::chrono::file_clock::to_sys(std::filesystem::last_write_time(file));
  CHECK(system::last_written(file) == std::chrono::floor<std::chrono::microseconds>(usual));
  CHECK_FALSE(system::last_written(none));
}

TEST_CASE("a lock keeps others out until it is gone", "[system]") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "lock";
  {
    const auto lock = system::FileLock::try_to_take(file);
    REQUIRE(lock);
    CHECK_FALSE(system::FileLock::try_to_take(file));
    CHECK(run_in_copy([&] {
            return std::string(system::FileLock::try_to_take(file) ? "taken" : "refused");
          }).output == "refused");
  }
  CHECK(system::FileLock::try_to_take(file));
  CHECK_FALSE(std::filesystem::exists(file));  // it goes with its lock
  CHECK(contains(error_of([&] { system::FileLock::try_to_take(folder.path() / "none" / "lock"); }),
                 "cannot write to the folder"));
}

TEST_CASE("a folder's names are flushed, or the reason is reported", "[system]") {
  const TemporaryFolder folder;
  system::flush_folder(folder.path());
  CHECK(contains(error_of([&] { system::flush_folder(folder.path() / "none"); }), "cannot open the folder"));
}
