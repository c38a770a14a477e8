// What failed and killed writes leave behind: nothing, after the next one.
#include <sys/resource.h>

#include "catch.h"
#include "headlight/system/files.h"
#include "headlight/system/process.h"
#include "headlight/system/system.h"
#include "temporary_folder.h"

using namespace headlight;

namespace {

namespace fs = std::filesystem;

}  // namespace

TEST_CASE("a write that fails says why, and leaves nothing", "[core]") {
  const TemporaryFolder folder;
  const auto error = [&](const fs::path& file) {
    return error_of([&] { write_file(folder.path() / file, "x"); });
  };
  CHECK(contains(error(std::string(300, 'n')), "File name too long"));
  CHECK(contains(error(fs::path(std::string(300, 'n')) / "x"), "cannot make the folder"));
  CHECK(contains(error(""), "it is a folder"));
  CHECK(fs::is_empty(folder.path()));
}

TEST_CASE("a file may have as long a name as the system allows", "[core]") {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / std::string(255, 'n');
  write_file(file, "x");
  CHECK(read_file(file) == "x");
}

TEST_CASE("a file beyond the limit of sizes is an error, and the old one stays", "[core]") {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "file";
  write_file(file, "old");
  const auto work = [&] {
    system::report_size_limit();
    const rlimit limit{1000, 1000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    return error_of([&] { write_file(file, std::string(1001, 'x')); });
  };
  CHECK(contains(run_in_copy(work).output, "cannot write "));
  CHECK(contains(run_in_copy(work).output, ": File too large."));
  CHECK(read_file(file) == "old");
  CHECK(std::distance(fs::directory_iterator(folder.path()), {}) == 1);
}
