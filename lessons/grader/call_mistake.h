// Which known mistakes give all that one call came to.
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

}  // namespace headlight::grader
