// Which known mistakes give all that one call came to, or all calls so far.
#pragma once

#include <optional>
#include <vector>

#include "grader/judge.h"

namespace headlight::grader {

// The known mistake with the outcome of the call that is shown, "and something else". Of several that fit,
// those that fit on most calls; more than two are not named. One number that is not an odd fraction is no
// evidence, and two mistakes that give one call together are not either.
std::optional<Verdict::KnownMistake> on_the_call_shown(const Part& part, const std::vector<Outcome>& found,
                                                       const Outcomes& known, std::size_t call);

// What is said if the next call ends the process: the known mistake that alone gives what was found so far,
// if two calls are wrong, or one with evidence.
std::optional<Verdict::KnownMistake> on_the_calls_so_far(const Part& part, const std::vector<Outcome>& found,
                                                         const Outcomes& known);

}  // namespace headlight::grader
