// What becomes of a learner's code that goes wrong: each kind of end has its verdict, and nothing outside is
// damaged.
#include "verdict/grade.h"

#include <csignal>
#include <cstdlib>

#include "catch.h"
#include "headlight/system/files.h"
#include "temporary_folder.h"

#ifdef __linux__
#include <sys/syscall.h>
#include <unistd.h>
#endif

using namespace headlight;
using namespace headlight::grader;

namespace {

namespace fs = std::filesystem;

const fs::path kLearner = fs::path(HEADLIGHT_SOURCE_DIR) / "tests/course/exercises/learner.cpp";

Verdict verdict_on(const std::string& behaviour, std::size_t memory = std::size_t{2} << 30,
                   const std::function<void(std::size_t, std::size_t)>& progress = {}) {
  const TemporaryFolder folder;
  const fs::path checker = folder.path() / behaviour;
  fs::create_symlink(HEADLIGHT_BINARY_DIR "/lessons/checker_misbehaving", checker);
  const std::chrono::seconds cpu(1),
      most_cpu(behaviour == "trains" || behaviour == "trains too long" ? 3 : 0);
  return grade({.checker = checker,
                .learners_file = kLearner,
                .cpu = cpu,
                .most_cpu = most_cpu,
                .memory = memory,
                .progress = progress});
}

// The number of the learner's line that has this text.
int line_with(const std::string& text) {
  std::istringstream file(read_file(kLearner));
  std::string line;
  for (int number = 1; std::getline(file, line); ++number)
    if (contains(line, text)) return number;
  return 0;
}

// Whether the system can keep a process from removing files.
bool has_landlock() {
#if defined(__linux__) && defined(SYS_landlock_create_ruleset)
  constexpr unsigned kAskVersion = 1;
  return ::syscall(SYS_landlock_create_ruleset, nullptr, 0, kAskVersion) > 0;
#else
  return false;
#endif
}

}  // namespace

TEST_CASE("code that ends gets its verdict", "[grader]") {
  CHECK(verdict_on("right").kind == Kind::solved);
  CHECK(verdict_on("shape").kind == Kind::wrong_shape);
  CHECK(verdict_on("nan").kind == Kind::not_finite);
  const Verdict threw = verdict_on("throws");
  CHECK(threw.kind == Kind::threw);
  CHECK(threw.message == "[double] expected a smile, got none.");
  CHECK(threw.call == "twice(x)");
  CHECK(threw.line == line_with("throw Error("));
  const Verdict index = verdict_on("index");
  CHECK(index.message == "index 7 is out of bounds for axis 0 with size 3");
  CHECK(index.line == line_with("x(7)"));
  CHECK(verdict_on("prints").printed == "x has 3 numbers\n");
  CHECK(verdict_on("prints much").kind == Kind::solved);
}

TEST_CASE("a verdict that the learner's code prints is not believed", "[grader]") {
  const Verdict verdict = verdict_on("forges");
  CHECK(verdict.kind == Kind::crashed);
  CHECK(verdict.message == "it ended the program (exit 0)");
  CHECK(contains(verdict.printed, "solved"));
}

TEST_CASE("code is graded in an empty folder beside its checker", "[grader]") {
  const TemporaryFolder folder;
  const fs::path checker = folder.path() / "right";
  fs::create_symlink(HEADLIGHT_BINARY_DIR "/lessons/checker_misbehaving", checker);
  write_file(folder.path() / "right.folder" / "left", "by another grading");
  const char* usual = std::getenv("TMPDIR");
  const std::string before = usual == nullptr ? "/tmp" : usual;
  ::setenv("TMPDIR", "/nonexistent", 1);
  CHECK(grade({.checker = checker, .learners_file = kLearner}).kind == Kind::solved);
  ::setenv("TMPDIR", before.c_str(), 1);
  CHECK(fs::is_empty(folder.path() / "right.folder"));
}

TEST_CASE("code without an end is stopped", "[grader]") {
  const Verdict loop = verdict_on("loop");
  CHECK(loop.kind == Kind::endless);
  CHECK(loop.line == line_with("while (zero == 0)"));
  CHECK(loop.message == "it was stopped after 1 seconds of computing");
  CHECK(verdict_on("sleeps").message == "it was stopped after 6 seconds of waiting");
}

TEST_CASE("a crash is reported with its signal and the learner's line", "[grader]") {
  const auto crashes = [](const std::string& behaviour, const std::string& words, const std::string& code) {
    const Verdict verdict = verdict_on(behaviour);
    INFO(behaviour << ": " << to_json(verdict));
    CHECK(verdict.kind == Kind::crashed);
    CHECK(contains(verdict.message, words));
    CHECK(verdict.line == line_with(code));
    CHECK(verdict.call == "twice(x)");
  };
  crashes("null", "a null pointer", "*null");
  crashes("recursion", "calls itself without end", "int without_end");
#if defined(__x86_64__)  // elsewhere it gives 0
  crashes("division", "divided a whole number by zero", "(7 / zero)");
#endif
  crashes("assertion", "an index is out of range: a vector of n numbers has those from 0 to n - 1",
          "numbers[");
  const Verdict assertion = verdict_on("assertion");
  CHECK(assertion.message.ends_with("n - 1; line " + std::to_string(line_with("return out_of_range(x)")) +
                                    " led there"));
  CHECK(assertion.printed.empty());
  crashes("abort", "called abort()", "std::abort()");
  crashes("outside", "it wrote outside of an array", "y.data()[i] = ");
  CHECK(contains(verdict_on("kills").message, "it was killed, by itself"));
  const Verdict exits = verdict_on("exits");
  CHECK(exits.kind == Kind::crashed);
  CHECK(exits.message == "it ended the program (exit 3)");
  const Verdict early = verdict_on("early");
  CHECK(early.kind == Kind::crashed);
  CHECK(early.lesson.empty());
}

TEST_CASE("the parts behind one that crashes or has no end are graded", "[grader]") {
  for (const char* behaviour : {"division", "loop", "exits", "memory"}) {
    const Verdict verdict = verdict_on(behaviour, std::size_t{300} << 20);
    INFO(to_json(verdict));
    CHECK(verdict.part == 0);
    REQUIRE(verdict.parts.size() == 2);
    CHECK_FALSE(verdict.parts[0].solved());
    CHECK(verdict.parts[1].solved());
  }
}

TEST_CASE("one part is graded alone", "[grader]") {
  const auto second_of = [](const std::string& behaviour) {
    const TemporaryFolder folder;
    const fs::path checker = folder.path() / behaviour;
    fs::create_symlink(HEADLIGHT_BINARY_DIR "/lessons/checker_misbehaving", checker);
    return grade({.checker = checker, .learners_file = kLearner, .part = 1});
  };
  const Verdict alone = second_of("loop");  // in the first part
  CHECK(alone.kind == Kind::solved);
  CHECK(alone.part == 1);
  CHECK_FALSE(alone.parts[0].kind);
  CHECK_FALSE(alone.all_solved());
}

TEST_CASE("a part that calls what it may not is refused, with the line", "[grader]") {
  const TemporaryFolder folder;
  const fs::path checker = folder.path() / "right", file = folder.path() / "mine.cpp";
  fs::create_symlink(HEADLIGHT_BINARY_DIR "/lessons/checker_misbehaving", checker);
  write_file(file,
             "Array twice(const Array& x) { return exp(x); }\nArray half(const Array& x) { return x; }\n");
  CHECK(grade({.checker = checker, .learners_file = file}).kind == Kind::solved);
  write_file(file, "Array half(const Array& x) {\n  return 0.5 * exp(x);\n}\n");
  const Verdict verdict = grade({.checker = checker, .learners_file = file});
  CHECK(verdict.kind == Kind::refused);
  CHECK(verdict.part == 1);
  CHECK(verdict.message == "Line 2 uses exp, which this part may not: it is to do that work itself.");
  CHECK(verdict.parts[0].solved());
}

TEST_CASE("code that takes too much memory is stopped", "[grader]") {
  const Verdict verdict = verdict_on("memory", std::size_t{300} << 20);
  CHECK(verdict.kind == Kind::memory);
  CHECK(verdict.message == "it asked for more than 300 MB");
}

TEST_CASE("a learner's code can damage nothing and leaves nothing behind", "[grader]") {
  const TemporaryFolder folder;
  write_file(folder.path() / "victim", "still there");
  ::setenv("HEADLIGHT_VICTIM", (folder.path() / "victim").c_str(), 1);
  verdict_on("removes");
  ::unsetenv("HEADLIGHT_VICTIM");
  if (has_landlock()) CHECK(read_file(folder.path() / "victim") == "still there");
  CHECK_FALSE(fs::exists("written"));
  verdict_on("writes");
  CHECK_FALSE(fs::exists("written"));
}

TEST_CASE("a checker that is not there is an error", "[grader]") {
  CHECK(
      contains(error_of([] { grade({.checker = "none", .learners_file = "none"}); }), "there is no checker"));
}

TEST_CASE("a part that trains has the time that it says, and reports how far it is", "[grader]") {
  std::vector<std::size_t> reported;
  const Verdict trained = verdict_on("trains", std::size_t{2} << 30, [&](std::size_t done, std::size_t all) {
    reported = {done, all};
  });
  CHECK(trained.kind == Kind::solved);
  CHECK(reported == std::vector<std::size_t>{1, 2});
  const Verdict stopped = verdict_on("trains too long");
  CHECK(stopped.kind == Kind::endless);
  CHECK(stopped.message == "it was stopped after 2 seconds of computing");
}
