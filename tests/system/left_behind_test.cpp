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

TEST_CASE("a write removes what killed ones left beside it, and nothing else", "[core]") {
  const TemporaryFolder folder;
  const fs::path left = folder.path() / ".a.txt.headlight.999.0.part",
                 open = folder.path() / ".b.txt.headlight.999.1.part";
  const std::vector<std::string> of_others{
      ".a.txt.part",          ".a.txt.1.0.part",       ".headlight.part",       ".a.headlight..0.part",
      "a.headlight.1.0.part", ".a.headlight.1.x.part", ".a.headlight.1.0.part2"};
  for (const std::string& name : of_others) write_file(folder.path() / name, "mine");
  const system::OutputFile being_written(open);
  for (const auto& next : {std::function([&] { write_file(folder.path() / "c.txt", "c"); }),
                           std::function([&] { require_writable_folder(folder.path()); })}) {
    { system::OutputFile file(left); }
    next();
    CHECK_FALSE(fs::exists(left));
    CHECK(fs::exists(open));
    for (const std::string& name : of_others) CHECK(fs::exists(folder.path() / name));
  }
}

// As somebody may put one there who knows the next number.
TEST_CASE("a write does not follow a link that has the name of its temporary file", "[core]") {
  const TemporaryFolder folder;
  const auto work = [&] {
    write_file(folder.path() / "letter", "Dear reader");
    for (int count = 0; count < 100; ++count)
      fs::create_symlink("letter", folder.path() / fmt::format(".a.txt.headlight.{}.{}.part",
                                                               system::process_number(), count));
    write_file(folder.path() / "a.txt", "a");
    return std::string("written");
  };
  CHECK(run_in_copy(work).output == "written");
  CHECK(read_file(folder.path() / "a.txt") == "a");
  CHECK(read_file(folder.path() / "letter") == "Dear reader");
  CHECK(fs::is_regular_file(fs::symlink_status(folder.path() / "a.txt")));
}

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
