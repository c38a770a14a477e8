// What the numbers of a verdict say by themselves, whatever the exercise is about.
#pragma once

#include <optional>
#include <string>

#include "verdict/verdict.h"

namespace headlight::grader {

// One sentence on the output in which the first difference is, or nothing:
//   - a number that was never set, or a whole number that fell below 0 and has no sign
//   - every number is 0, or is the expected one without its fraction
//   - every number is the expected one times a factor, or plus a number
//   - every number is the expected one changed in the same way, such as its root, or every row is scaled or
//   moved
//   - only the first or the last row, column or number is wrong; where it is 0, a loop may miss it
//   - the expected numbers stand transposed, one place (or row) too late or too early, or in another order
// Each is a fact about all the numbers. A factor, and what is added, need two different numbers to tell.
std::optional<std::string> remark_on(const Verdict& verdict);

}  // namespace headlight::grader
