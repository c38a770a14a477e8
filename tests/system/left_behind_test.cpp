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

// In the folder "none" of a temporary one, which must not be there afterwards.
void check_no_folder_left(const fs::path& file, const std::string& error) {
  const TemporaryFolder folder;
  CHECK(contains(error_of([&] { write_file(folder.path() / "none" / file, "x"); }), error));
  CHECK(fs::is_empty(folder.path()));
}

}  // namespace

TEST_CASE("a write that fails leaves no folder behind", "[core]") {
  check_no_folder_left(std::string(300, 'n'), "File name too long");
  check_no_folder_left(fs::path("deep") / std::string(300, 'n') / "x", "cannot make the folder");
  check_no_folder_left("", "expected the name of a file");
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
