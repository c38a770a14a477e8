// Whether two texts say the same, rounding apart.
#pragma once

#include <string>

namespace headlight {

// "" when they do; otherwise the first line that differs, in both forms. Lines are compared word by word, so
// widths may differ. Two numbers may differ by one unit in the last digit that `expected` prints, since other
// processors and compilers round otherwise; numbers such as 3e-11 by a factor of 10, since they are what is
// left of such rounding; everything else must be equal.
std::string difference_of_output(const std::string& expected, const std::string& actual);

}  // namespace headlight
