// What the library was made of.
#pragma once

#include <string>

namespace headlight::inline HEADLIGHT_PRECISION {

// "Headlight 0.2.0, xtensor 0.24.3, GCC 12.2.0, float", and in a build that does not fuse a multiply-add ";
// its last digits may differ from those of other builds".
std::string version();

// Whether a product and a sum are rounded once. All builds that do this give the same bits.
bool fuses_multiply_add();

}  // namespace headlight::inline HEADLIGHT_PRECISION
