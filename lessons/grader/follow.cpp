#include "grader/follow.h"

#include <fmt/core.h>

#include <chrono>
#include <cstdio>

#include "headlight/system/crash.h"
#include "headlight/system/process.h"
#include "verdict/verdict_line.h"

namespace headlight::grader {

namespace {

std::string followers_word;  // empty: no process follows

}  // namespace

void progress(std::size_t done, std::size_t all) {
  if (followers_word.empty()) return;
  fmt::print("{}", progress_line(done, all, followers_word));
  std::fflush(stdout);
}

int follow(const Exercise& learners, const Exercise& solution, const Range& range, const std::string& word) {
  report_crashes();
  followers_word = word;
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);  // what was printed before a crash arrives
  constexpr int kUsual = 10;                      // seconds, after a part that had its own
  bool had_its_own = false;
  const auto write = [&](const Verdict& verdict) {
    // Known mistakes are tried after the verdict on a call, each as long as the call.
    if (verdict.seconds > 0)
      limit_own_cpu(
          std::chrono::seconds(verdict.kind == Kind::running ? verdict.seconds : 2 * verdict.seconds));
    else if (had_its_own && verdict.kind == Kind::running)
      limit_own_cpu(std::chrono::seconds(kUsual));
    had_its_own = had_its_own || verdict.seconds > 0;
    fmt::print("{}", verdict_line(verdict, followers_word));
    std::fflush(stdout);
  };
  (void)judge_parts(learners, solution, range, write);
  return 0;
}

}  // namespace headlight::grader
