// grade_checker CHECKER FILE: the verdict on a checker that was built from this file, as a learner reads it.
// grade_checker --texts: the verdicts that stand in the lines of standard input as JSON, as a learner reads
// them.
#include <fmt/core.h>

#include <exception>
#include <iostream>
#include <string>

#include "verdict/grade.h"

int main(int argc, char** argv) {
  using namespace headlight::grader;
  try {
    if (argc == 2 && std::string(argv[1]) == "--texts") {
      for (std::string line; std::getline(std::cin, line);)
        fmt::print("{}\n", verdict_text(verdict_from_json(line)));
      return 0;
    }
    if (argc != 3) return 2;
    fmt::print("{}", verdict_text(grade({.checker = argv[1], .learners_file = argv[2]})));
    return 0;
  } catch (const std::exception& e) {
    fmt::print(stderr, "grade_checker: {}\n", e.what());
    return 2;
  }
}
