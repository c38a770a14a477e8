// A part of a whole as a text.
#pragma once

#include <string>

namespace headlight {

// "97.5 %". 100 stands only for all of it, and 0 only for nothing: 0.9999 is ">99.9 %", 0.0001 is "<0.1 %".
std::string percent(double part, int decimals = 1);

// The same without the sign: "97.5".
std::string percent_number(double part, int decimals = 1);

}  // namespace headlight
