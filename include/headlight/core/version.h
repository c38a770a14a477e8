// What the library was made of.
#pragma once

#include <string>

namespace headlight::inline HEADLIGHT_PRECISION {

// "Headlight 0.2.0, xtensor 0.24.3, GCC 12.2.0, float"
std::string version();

}  // namespace headlight::inline HEADLIGHT_PRECISION
