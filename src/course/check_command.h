// The command check: a verdict for the learner, and marks for programs.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "check/learner.h"
#include "result_options.h"

namespace headlight::course {

struct CheckOptions {
  bool all = false, edit = false, json = false;
  ResultFile result;
};

inline constexpr const char* kCheckExamples =
    "  ./headlight check\n  ./headlight check 3\n  ./headlight check 3.4\n  ./headlight check --all\n\n"
    "Every part is graded, whatever came before. The first one that is written and wrong is shown.\n"
    "Exit status: 0 when every part that was graded is solved, 1 when not, 2 for an error.";

void add_check_options(CLI::App& command, CheckOptions& options, bool& no_color);

// Checks what `wanted` names ("3", "3.4" or "") or every lesson, prints what is found and writes the result
// that is asked for. Returns the exit status.
int check_and_print(Learner& learner, const std::string& wanted, const CheckOptions& options,
                    std::size_t width, bool color);

}  // namespace headlight::course
