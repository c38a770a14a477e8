#include <sys/stat.h>

#include <fstream>

#include "catch.h"
#include "headlight/core/buffer_pool.h"
#include "headlight/core/shape.h"
#include "headlight/system/file_kind.h"
#include "headlight/system/files.h"
#include "temporary_folder.h"

using namespace headlight;

TEST_CASE("a returned buffer serves the next request of its size", "[core]") {
  trim_buffer_pool();
  const std::size_t bytes = GENERATE(1, 64, 65, 1000, 4096, 5000, 1 << 20);
  void* first = acquire_buffer(bytes);
  CHECK(reinterpret_cast<std::uintptr_t>(first) % 64 == 0);
  release_buffer(first, bytes);
  if (buffer_pool_stats().cached_bytes == 0) return;  // under AddressSanitizer nothing is recycled
  const auto before = buffer_pool_stats().system_allocations;
  void* second = acquire_buffer(bytes);
  CHECK(second == first);
  CHECK(buffer_pool_stats().system_allocations == before);
  release_buffer(second, bytes);
}

TEST_CASE("live bytes come back to where they were", "[core]") {
  const auto before = buffer_pool_stats().live_bytes;
  {
    const Array x = full_array({100, 100}, 1);
    CHECK(buffer_pool_stats().live_bytes >= before + 10000 * sizeof(Real));
  }
  CHECK(buffer_pool_stats().live_bytes == before);
}

TEST_CASE("a file is written whole and leaves nothing beside it", "[core]") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "deep" / "er" / "file.txt";
  write_file(path, "first");
  write_file(path, std::string("sec\0ond", 7));
  CHECK(read_file(path) == std::string("sec\0ond", 7));
  CHECK(std::distance(std::filesystem::directory_iterator(path.parent_path()), {}) == 1);
  write_file(path, "");
  CHECK(read_file(path).empty());
}

TEST_CASE("a file is replaced by one of its own kind alone", "[core]") {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "a.svg";
  const FileKind picture{"--svg", "SVG picture", "<svg"};
  CHECK_NOTHROW(check_same_kind(file, picture));
  for (const char* text : {"", "<svg/>"}) {
    write_file(file, text);
    CHECK_NOTHROW(check_same_kind(file, picture));
  }
  for (const char* text : {"<sv", "Dear reader"}) {
    write_file(file, text);
    CHECK(
        error_of([&] { check_same_kind(file, picture); }) ==
        "--svg '" + file.string() +
            "' would replace a file that is no SVG picture. Hint: choose another name, or remove the file.");
  }
}

TEST_CASE("files that cannot be had are explained", "[core]") {
  const TemporaryFolder folder;
  CHECK(contains(error_of([&] { read_file(folder.path() / "none"); }), "there is no file"));
  CHECK(contains(error_of([&] { read_file(folder.path()); }), "is a folder"));
  write_file(folder.path() / "file", "x");
  CHECK(contains(error_of([&] { write_file(folder.path() / "file" / "below", "x"); }),
                 "cannot make the folder"));
}

TEST_CASE("shapes broadcast from the last axis", "[core]") {
  CHECK(broadcast_shapes({3, 1}, {4}, "add") == Shape{3, 4});
  CHECK(broadcast_shapes({}, {2, 3}, "add") == Shape{2, 3});
  CHECK(error_of([] {
          broadcast_shapes({2, 3}, {2, 4}, "add");
        }) ==
        "[add] shapes (2,3) and (2,4) do not broadcast: lengths 3 and 4 meet at axis 1. Lengths "
        "must be equal, or one of them 1.");
  CHECK(contains(error_of([] { broadcast_shapes({3}, {1, 4}, "add"); }), "lengths 3 and 4 meet at axis 1"));
  CHECK(contains(error_of([] { normalize_axis(2, 2, "sum"); }), "[sum] axis 2 is out of range"));
  CHECK(contains(error_of([] { normalize_axes({0, -2}, 2, "sum"); }), "axis 0 is named twice"));
}

TEST_CASE("sizes that cannot be counted are refused", "[core]") {
  const std::size_t huge = std::size_t{1} << 62;
  CHECK(contains(error_of([&] { full_array({huge, 4}, 0); }), "more elements than can be counted"));
  CHECK_THROWS_AS(empty_array({huge}), std::bad_alloc);
}

#if !defined(__SANITIZE_ADDRESS__)  // which ends the program
TEST_CASE("an array that memory does not hold is named by its size", "[core]") {
  std::string message;
  try {
    empty_array({std::size_t{1} << 50});
  } catch (const std::bad_alloc& e) {
    message = e.what();
  }
  CHECK(message.starts_with("there is not enough memory for an array of "));
  CHECK(contains(message, std::to_string((std::size_t{1} << 50) * sizeof(Real)) + " bytes"));
}
#endif

TEST_CASE("a file is written through a link, and never over a device or a folder", "[core]") {
  const TemporaryFolder folder;
  const auto target = folder.path() / "target", link = folder.path() / "link", pipe = folder.path() / "pipe";
  std::filesystem::create_symlink("target", link);
  write_file(link, "one");
  CHECK(std::filesystem::is_symlink(link));
  CHECK(read_file(target) == "one");
  std::filesystem::create_symlink("circle", folder.path() / "circle");
  CHECK(contains(error_of([&] { write_file(folder.path() / "circle", "two"); }), "go in circles"));
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  const std::string refused =
      "it is not a regular file. Hint: name a file; pipes and devices are not written to.";
  CHECK(contains(error_of([&] { write_file(pipe, "two"); }), refused));
  CHECK(std::filesystem::is_fifo(pipe));
  std::array<int, 2> open_pipe{};
  REQUIRE(::pipe(open_pipe.data()) == 0);
  const std::string opened = "/dev/fd/" + std::to_string(open_pipe[1]);
  CHECK(error_of([&] { write_file(opened, "two"); }) == "cannot write '" + opened + "': " + refused);
  for (const int end : open_pipe) ::close(end);
  CHECK(contains(error_of([&] { write_file(folder.path(), "three"); }), "it is a folder"));
}
