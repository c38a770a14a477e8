// How a checker tells the process that started it how far it is: verdicts as lines of standard output, each
// after a mark. What stands between them is the learner's own.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "grader/verdict.h"

namespace headlight::grader {

// With line feeds around it.
std::string verdict_line(const Verdict& verdict);

// How far a call is, as a line like these.
std::string progress_line(std::size_t done, std::size_t all);

// The last progress line of the text that is complete, as done and all.
std::optional<std::pair<std::size_t, std::size_t>> last_progress(std::string_view output);

struct Followed {
  std::optional<Verdict> last;  // nothing when there is no verdict
  std::string printed;          // by the learner, in the call that the last verdict is about
};

// Reads what a checker wrote. Throws Error for a line with the mark that is no verdict.
Followed followed(std::string_view output);

}  // namespace headlight::grader
