// The version of the library and of what it was built with.
#pragma once

#include <string>

namespace headlight {

// "Headlight 0.3.0, xtensor 0.24.3, GCC 12.2.0, float". A machine without fused multiply-add adds "; its
// last digits may differ from those of other machines".
std::string version();

// Whether a·b + c is rounded once here. All machines that do this give the same bits.
bool fuses_multiply_add();

}  // namespace headlight
