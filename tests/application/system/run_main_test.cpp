// The guard around a program. What it prints is checked by the tests of programs.
#include "headlight/system/run_main.h"

#include <unistd.h>

#include <cstdio>
#include <new>
#include <stdexcept>

#include "catch.h"
#include "headlight/system/files.h"
#include "headlight/system/process.h"
#include "headlight/system/system.h"
#include "temporary_folder.h"

using namespace headlight;

TEST_CASE("a program's exit status is what its body returns, or that of an error", "[core]") {
  CHECK(run_main([] { return 7; }) == 7);
  CHECK(run_main([] {}) == 0);
  CHECK(run_main([] { fail("an error that a test expects to see."); }) == kError);
  CHECK(run_main([]() -> int { throw std::bad_alloc(); }) == kError);
  CHECK(run_main([]() -> int { throw std::length_error("vector::reserve"); }) == kError);
  CHECK(run_main([] { (void)std::filesystem::file_size("a/missing/file"); }) == kError);
  CHECK(run_main([] { throw std::out_of_range("an index that a test expects to see"); }) == kError);
}

TEST_CASE("an error is one line of limited length that cannot write to the terminal", "[core]") {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "errors.txt").string();
  const auto printed = [&](const std::string& value) {
    run_in_copy([&] {
      const bool opened = std::freopen(file.c_str(), "w", stderr) != nullptr;
      if (opened) run_main([&] { fail("there is no file '{}'.", value); });
      return std::string();
    });
    return read_file(file);
  };
  CHECK(printed("a\x1b[2Jb\nc\rd\xff") == "headlight: there is no file 'a␛[2Jb↵c␍d\xEF\xBF\xBD'.\n");
  const std::string cut = printed(std::string(60000, 'a'));
  CHECK(cut.size() < 1000);
  CHECK(cut.ends_with("a'.\n"));
}

TEST_CASE("an error whose words cannot be printed keeps its exit status", "[core]") {
  const WorkDone done = run_in_copy([] {
    ::close(STDERR_FILENO);
    return std::to_string(run_main([] { fail("an error that nobody sees."); }));
  });
  CHECK(done.output == std::to_string(kError));
}

TEST_CASE("what is printed to a closed stream ends up in no file", "[core]") {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "own.txt";
  const WorkDone done = run_in_copy([&] {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::close(stream);
    const int status = run_main([&] {
      system::OutputFile first(folder.path() / "first.txt"), second(folder.path() / "second.txt"), own(file);
      print_note("a note");
      std::puts("a line");
      std::fflush(stdout);
      own.write("its own words");
      own.close();
    });
    return std::to_string(status);
  });
  CHECK(done.output == std::to_string(kError));  // the line could not be written
  CHECK(read_file(file) == "its own words");
  CHECK(read_file(folder.path() / "first.txt").empty());
  CHECK(read_file(folder.path() / "second.txt").empty());
}
