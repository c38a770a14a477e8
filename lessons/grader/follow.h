// Judges and prints the verdicts, for the process that has started the checker and knows what to do when it
// crashes.
#pragma once

#include <string>

#include "grader/part.h"

namespace headlight::grader {

// Judges as judge() does. Writes a line before each call of the learner's, and one with the verdict, all with
// this word (verdict_line.h). Returns the exit status.
int follow(const Exercise& learners, const Exercise& solution, const std::string& word);

}  // namespace headlight::grader
