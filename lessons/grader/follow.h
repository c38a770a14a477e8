// Judges and tells, for the process that has started the checker and knows what to do when it crashes.
#pragma once

#include "grader/part.h"

namespace headlight::grader {

// Writes a line before each call of the learner's, and one with the verdict (verdict_line.h). Returns the
// exit status.
int follow(const Exercise& exercise);

}  // namespace headlight::grader
