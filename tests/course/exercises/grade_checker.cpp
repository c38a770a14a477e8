// grade_checker CHECKER FILE: the verdict on a checker that was built from this file, as a learner reads it.
#include <fmt/core.h>

#include <exception>

#include "grader/grade.h"

int main(int argc, char** argv) {
  using namespace headlight::grader;
  if (argc != 3) return 2;
  try {
    fmt::print("{}", verdict_text(grade({.checker = argv[1], .learners_file = argv[2]})));
    return 0;
  } catch (const std::exception& e) {
    fmt::print(stderr, "grade_checker: {}\n", e.what());
    return 2;
  }
}
