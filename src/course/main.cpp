// The program behind the commands of `./headlight` for lessons and tests. It is small, so that the script can
// build it within seconds; what a command needs besides, this program builds itself.
#include <fmt/core.h>

#include <algorithm>

#include "class_command.h"
#include "course/check/test_results.h"
#include "course/hunt/hunt_commands.h"
#include "headlight/core/thread_pool.h"
#include "headlight/system/files.h"
#include "headlight/system/process.h"
#include "headlight/system/run_main.h"
#include "headlight/system/system.h"
#include "learner_commands.h"
#include "lessons.h"
#include "program/command_line.h"
#include "program/exit_status.h"
#include "puzzle_command.h"

namespace headlight::course {
namespace {

struct TestOptions {
  bool browser = false, elsewhere = false;
  std::string name, except, label;  // regular expressions
  std::size_t jobs = thread_count(0);
};

int run_tests(const std::filesystem::path& build, const TestOptions& options) {
  check(!options.elsewhere,
        "--hostile and --everywhere stand first, as in './headlight test --hostile'. (--help explains)");
  build_or_fail(build, "headlight_all_tests");
  note("headlight: running the tests");
  const std::filesystem::path log = build / "tests.log", junit = build / "tests.xml";
  remove_file(junit);
  Command ctest{.words = {"ctest", "-Q", "--output-on-failure", "--output-log", log.string(),
                          "--output-junit", junit.string(), "-j", std::to_string(options.jobs)},
                .folder = build};
  const auto add = [&](const char* option, const std::string& value) {
    if (!value.empty()) ctest.words.insert(ctest.words.end(), {option, value});
  };
  add("-R", options.name);
  add("-E", options.except);
  add("-L", options.label);
  if (!options.browser) add("-LE", "browser");
  const Ended ended = run_process(ctest);
  check(ended.found, "ctest is not installed; it comes with CMake.");
  if (!std::filesystem::exists(junit)) print_note(ended.output + ended.errors);
  constexpr std::size_t kMostBytes = std::size_t{1} << 30, kMostLines = 60;
  check(std::filesystem::exists(junit), "ctest did not finish (above).");
  const std::vector<TestResult> results = test_results(read_file(junit, kMostBytes));
  print_note(failures_text(results, kMostLines));
  if (results.empty()) print_note(ended.errors + "headlight: no test matches\n");
  for (const std::string& reason : reasons_of_skipped(results)) note("headlight: skipped: {}", reason);
  fmt::print("{}\n", count_line(results));
  return ended.ok() && !results.empty() && count(results, TestResult::failed) == 0 ? kFound : kNotFound;
}

CLI::App* add_test_command(CLI::App& program, TestOptions& options) {
  CLI::App* test = program.add_subcommand("test", "Build and run every test");
  test->add_option("-R,--tests-regex", options.name, "Only tests whose name matches this regular expression");
  test->add_option("-E,--exclude-regex", options.except, "No tests whose name matches this one");
  test->add_option("-L,--label-regex", options.label, "Only tests with a label that matches");
  test->add_option("-j,--parallel", options.jobs, "How many run at once; without: one for each processor")
      ->check(CLI::PositiveNumber);
  test->add_flag("--browser", options.browser, "Also test the report in headless Chromium");
  test->add_flag(
      "--everywhere", options.elsewhere,
      "Instead, compare the bits of training with AVX2 by clang, AVX-512, emulated AArch64 and libc++. "
      "Names choose among avx2-clang, avx512, aarch64, libcxx, page (the engine for pages, built twice), "
      "archive (that of ./headlight package, tried on bare systems) and solve (./headlight site --solve: a page says of "
      "each exercise what the terminal says)");
  test->add_flag(
      "--hostile", options.elsewhere,
      "Instead, try to break the program in thousands of ways, and print what held as a table: "
      "several minutes. Names choose among the rows, the files tests/application/hostile/try_*.py");
  test->footer(
      "\nHEADLIGHT_PRESET chooses the build: release, dev, asan, tsan or fuzz. ctest has more "
      "options:\nctest --test-dir build/release\n"
      "\nExamples:\n  ./headlight test\n  ./headlight test -R gemm\n  HEADLIGHT_PRESET=asan ./headlight "
      "test\n"
      "\nExit status: 0 when all pass, 1 when one fails or none matches, 2 for an error.");
  return test;
}

int run(int argc, char** argv) {
  // This program stands in build/PRESET of the project, and the script calls it by its whole path.
  const std::filesystem::path build = std::filesystem::canonical(argv[0]).parent_path();
  const std::filesystem::path source = build.parent_path().parent_path();
  const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  // Every other word belongs to the lesson's program.
  const bool help = std::ranges::find(words, "--help") != words.end();
  if (words.size() >= 2 && words[0] == "lesson" && !words[1].starts_with('-') && !help) {
    const std::vector<Lesson> lessons = lessons_in(source / "lessons");
    const Lesson& lesson = find_lesson(lessons, words[1]);
    if (words.size() == 3 && words[2] == "--read") return read_lesson(source, build, lesson);
    return run_lesson(build, lesson, {words.begin() + 2, words.end()});
  }
  CLI::App program("Lessons and tests", "./headlight");
  program.require_subcommand(1);
  std::function<int()> chosen;
  add_learner_commands(program, source, build, chosen);
  add_class_command(program, source, build, chosen);
  add_puzzle_command(program, source, build, chosen);
  add_hunt_command(program, source, chosen);
  program.add_subcommand("lesson", "Build and run a lesson")
      ->footer(
          "\n./headlight lesson NUMBER [--out DIR]   --out: the folder for its figures\n"
          "./headlight lesson NUMBER --read        opens the book at its text\n"
          "\nExamples:\n  ./headlight lessons\n  ./headlight lesson 1");
  TestOptions options;
  const CLI::App* test = add_test_command(program, options);
  if (!program::parse(program, argc, argv)) return 0;
  if (chosen) return chosen();
  if (test->parsed()) return run_tests(build, options);
  find_lesson(lessons_in(source / "lessons"), "");  // throws: which lesson?
  return kError;
}

}  // namespace
}  // namespace headlight::course

int main(int argc, char** argv) {
  return headlight::run_main([&] { return headlight::course::run(argc, argv); });
}
