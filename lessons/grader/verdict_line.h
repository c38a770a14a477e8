// How a checker tells the process that started it how far it is: verdicts as lines of standard output, each
// after a mark. What stands between them is the learner's own.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "grader/verdict.h"

namespace headlight::grader {

// With line feeds around it.
std::string verdict_line(const Verdict& verdict);

struct Followed {
  std::optional<Verdict> last;  // nothing when there is no verdict
  std::string printed;          // by the learner, in the call that the last verdict is about
};

// Reads what a checker wrote. Throws Error for a line with the mark that is no verdict.
Followed followed(std::string_view output);

}  // namespace headlight::grader
