// Files that are read: what is refused before a byte of it is read.
#include "headlight/system/input_file.h"

#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "catch.h"
#include "headlight/system/files.h"
#include "temporary_folder.h"

using namespace headlight;

TEST_CASE("what is no regular file is refused, and does not hang", "[core]") {
  const TemporaryFolder folder;
  const auto pipe = folder.path() / "pipe", link = folder.path() / "link";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  CHECK(
      contains(error_of([&] { read_file(pipe); }), "is not a regular file: pipes and devices are not read"));
  std::filesystem::create_symlink(pipe, link);
  CHECK(contains(error_of([&] { read_file(link); }), "is not a regular file"));
  for (const char* device : {"/dev/zero", "/dev/null"})
    CHECK(contains(error_of([&] { read_file(device); }), "is not a regular file"));
  std::filesystem::create_symlink("loop", folder.path() / "loop");
  CHECK(contains(error_of([&] { read_file(folder.path() / "loop"); }), "cannot read"));
  CHECK(contains(error_of([&] { read_file(""); }), "there is no file ''"));
}

TEST_CASE("a link to a file is followed, and a file can be read in pieces", "[core]") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "file", link = folder.path() / "link";
  write_file(file, "one two");
  std::filesystem::create_symlink("file", link);
  CHECK(read_file(link) == "one two");
  InputFile input(link);
  CHECK(input.size() == 7);
  CHECK(input.read(4) == "one ");
  CHECK(input.read(100) == "two");
  CHECK(input.read(100).empty());
}

TEST_CASE("a file above its limit is refused by its size", "[core]") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "file";
  write_file(file, "12345");
  CHECK(read_file(file, 5) == "12345");
  CHECK(contains(error_of([&] { read_file(file, 4); }), "has 5 bytes; at most 4 are read."));
  std::filesystem::resize_file(file, std::uintmax_t{3} << 30);  // takes no room on the disk
  CHECK(contains(error_of([&] { read_file(file); }), "has 3221225472 bytes; at most 67108864 are read."));
}

TEST_CASE("a large file comes back whole", "[core]") {
  const TemporaryFolder folder;
  std::string bytes(5'000'001, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * i >> 7);
  write_file(folder.path() / "file", bytes);
  CHECK(read_file(folder.path() / "file") == bytes);
}
