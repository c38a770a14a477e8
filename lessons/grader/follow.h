// Judges and prints the verdicts, for the process that has started the checker and knows what to do when it
// crashes.
#pragma once

#include <string>

#include "grader/judge.h"

namespace headlight::grader {

// Judges as judge_parts() does. Writes a line before each call of the learner's, and one with the verdict on
// each part, all with this word (verdict_line.h). Returns the exit status.
int follow(const Exercise& learners, const Exercise& solution, const Range& range, const std::string& word);

}  // namespace headlight::grader
