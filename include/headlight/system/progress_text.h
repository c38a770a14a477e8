// The words of a line that shows how far something has come.
#pragma once

#include <string>

namespace headlight {

// "12 s", "3:07"
std::string duration(double seconds);

// "━━━┈┈┈┈┈┈┈" for a share of 0.3; ten columns, so that a line with it fits 80.
std::string progress_bar(double share);

}  // namespace headlight
