// Which known mistakes give all the numbers that were found.
#pragma once

#include <optional>
#include <vector>

#include "grader/judge.h"

namespace headlight::grader {

// The known mistake that gives what was found on every call of the part; without such, the several that do so
// together. If different ones together do, it is what they have in common "and something else"; if they have
// nothing in common, the first of them, which is then said to be one of several. Where one of two gives it
// on every call but one, that is said. Of a part whose calls are separate, without such: the first known
// mistake with what was found on the first wrong call.
std::optional<Verdict::KnownMistake> exact_mistake(const Part& part, const std::vector<Outcome>& found,
                                                   const Outcomes& known);

}  // namespace headlight::grader
