// The program that the script `./headlight` calls to list lessons and run tests. It is small, so that the
// script can build it within seconds.
#include <fmt/core.h>

#include <algorithm>

#include "headlight/core/thread_pool.h"
#include "headlight/system/files.h"
#include "headlight/system/process.h"
#include "headlight/system/run_main.h"
#include "learner_commands.h"
#include "lessons.h"
#include "program/command_line.h"
#include "program/exit_status.h"
#include "test_run.h"
#include "test_words.h"

namespace headlight::course {
namespace {

const std::filesystem::path kBuild = HEADLIGHT_BINARY_DIR;

std::vector<Lesson> lessons() { return lessons_in(std::filesystem::path(HEADLIGHT_SOURCE_DIR) / "lessons"); }

// Prints the name of a lesson's program, for the script.
int print_program_of(const std::string& wanted) {
  fmt::print("lesson_{}\n", find_lesson(lessons(), wanted).folder);
  return 0;
}

int run_tests(bool browser, const std::vector<std::string>& more) {
  note("headlight: running the tests");
  Command ctest{.words = {"ctest", "--output-on-failure", "-j"}, .folder = kBuild};
  ctest.words.push_back(std::to_string(thread_count(0)));
  if (!browser) ctest.words.insert(ctest.words.end(), {"-LE", "browser"});
  ctest.words.insert(ctest.words.end(), more.begin(), more.end());
  const Ended ended = run_process(ctest);
  check(ended.found, "ctest is not installed; it comes with CMake.");
  const std::string log = ended.output + ended.errors;
  write_file(kBuild / "tests.log", log);
  constexpr std::size_t kMostLines = 200;
  if (!ended.ok()) print_note(without_passed(log, kMostLines));
  const TestCount count = count_tests(log);
  if (count.passed + count.failed + count.skipped == 0) note("headlight: no test matches");
  for (const std::string& reason : reasons_of_skipped(log)) note("headlight: {}", reason);
  fmt::print("{}\n", in_words(count));
  return ended.ok() && count.failed == 0 && count.passed + count.skipped > 0 ? kFound : kNotFound;
}

void check_test_words(const std::vector<std::string>& words) {
  const Ended help = run_process({.words = {"ctest", "--help"}});
  check(help.found, "ctest is not installed; it comes with CMake.");
  check_ctest_words(words, help.output);
}

int run(int argc, char** argv) {
  // The script asks before it builds the tests, which takes long.
  std::string test_word = "test";
  const bool only_check = argc >= 2 && std::string_view(argv[1]) == "check-test";
  if (only_check) argv[1] = test_word.data();
  if (argc == 3 && std::string_view(argv[1]) == "find-lesson") return print_program_of(argv[2]);
  if (argc >= 2 && std::string_view(argv[1]) == "find-exercise")
    return print_exercise(HEADLIGHT_SOURCE_DIR, argc == 3 ? argv[2] : "");
  CLI::App program("Lessons and tests", "./headlight");
  program.require_subcommand(1);
  std::function<int()> learners;
  add_learner_commands(program, HEADLIGHT_SOURCE_DIR, kBuild, learners);

  program.add_subcommand("lesson", "Build and run a lesson")
      ->footer(
          "\n./headlight lesson NUMBER [--out DIR]   --out: the folder for its figures\n"
          "\nExamples:\n  ./headlight lessons\n  ./headlight lesson 1");

  bool browser = false;
  CLI::App* test = program.add_subcommand("test", "Build and run every test");
  test->add_flag("--browser", browser, "Also test the report in headless Chromium");
  bool everywhere = false;
  test->add_flag("--everywhere", everywhere,
                 "Instead, compare the bits of training with AVX2 by clang, AVX-512 and emulated AArch64. "
                 "Names choose among avx2-clang, avx512, aarch64");
  bool hostile = false;
  test->add_flag("--hostile", hostile,
                 "Instead, try to break the program in thousands of ways, and print what held as a table: "
                 "several minutes. Names choose among the rows, the files tests/hostile/try_*.py");
  test->allow_extras();
  test->footer(
      "\nOther options go to ctest. HEADLIGHT_PRESET chooses the build: release, dev, asan, tsan, fuzz or "
      "portable.\n"
      "\nExamples:\n  ./headlight test\n  ./headlight test -R gemm\n  HEADLIGHT_PRESET=asan ./headlight "
      "test\n"
      "\nExit status: 0 when all pass, 1 when one fails or none matches, 2 for an error.");
  if (!program::parse(program, argc, argv)) return 0;
  if (learners) return learners();
  if (program.got_subcommand(test)) {
    check_test_words(test->remaining());
    return only_check ? 0 : run_tests(browser, test->remaining());
  }
  find_lesson(lessons(), "");  // throws: which lesson?
  return kError;
}

}  // namespace
}  // namespace headlight::course

int main(int argc, char** argv) {
  return headlight::run_main([&] { return headlight::course::run(argc, argv); });
}
