#include "grader/follow.h"

#include <fmt/core.h>

#include <cstdio>

#include "grader/judge.h"
#include "grader/verdict_line.h"
#include "headlight/core/crash.h"

namespace headlight::grader {

int follow(const Exercise& exercise) {
  tell_crashes();
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);  // what was printed before a crash arrives
  const auto write = [](const Verdict& verdict) {
    fmt::print("{}", verdict_line(verdict));
    std::fflush(stdout);
  };
  write(judge(exercise, write));
  return 0;
}

}  // namespace headlight::grader
