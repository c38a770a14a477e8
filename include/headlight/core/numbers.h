// Numbers that people write: on a command line, in a setting, in a list. One rule for all.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace headlight {

// The number that the text stands for, of type int, long, unsigned, unsigned long (and long long) or double.
// It is decimal, without spaces, signs of grouping or a plus: "010" is 10. A whole number is exact; one with
// a point or an exponent is finite, and not so small that digits are lost. Throws Error for any other text,
// in words that go on after the name of the number: "expected a whole number of at least 0, got '0x10'".
template <class Number>
Number number_from_text(std::string_view text);

// 41216 as "41,216".
std::string with_commas(std::uint64_t number);

}  // namespace headlight
