// What this program was made of.
#pragma once

#include <string>

namespace headlight::app {

// "Headlight 0.2.0, xtensor 0.24.3, GCC 12.2.0, float"
std::string versions();

}  // namespace headlight::app
