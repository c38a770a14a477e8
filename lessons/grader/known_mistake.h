// Which known mistakes a learner made.
#pragma once

#include <optional>
#include <vector>

#include "grader/judge.h"

namespace headlight::grader {

// The exact_mistake, one or several, that gives all numbers found. Without such, what can be said for sure
// when there is more than one mistake:
// - Two known mistakes, if the part has several results, and each wrong result is, on every call, that of one
//   of the two.
// - One known mistake "and something else", if on two calls or more half of the wrong results or more are
// those
//   of this mistake, it makes nothing wrong that is right, and every other mistake explains less of them.
// - One known mistake, or several together, "and something else", if on the call that is shown everything is
//   as with it. Of several that fit, those that fit on most calls; more than two are not named.
// Only wrong fractions, or three wrong whole numbers of which one is above 10, are evidence in the first two
// cases: two mistakes often agree on a yes or a no. A part whose calls take long is only compared exactly.
// `shown` is the number of the call that the learner is shown.
std::optional<Verdict::KnownMistake> known_mistake(const Part& part, const std::vector<Outcome>& found,
                                                   const Outcomes& known, std::size_t shown);

}  // namespace headlight::grader
