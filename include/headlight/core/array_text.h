// Arrays as text: to_string(x), fmt::print("{}", x), fmt::print("{:.2f}", x) and std::cout << x.
#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <iosfwd>
#include <string>

#include "headlight/core/array.h"
#include "headlight/core/check.h"

namespace headlight {

inline constexpr int kDecimals = 4;  // of a number, unless others are asked for

// The numbers, nested in brackets as NumPy prints them.
std::string to_string(const Array& x, int decimals = kDecimals);

// As to_string(x).
std::ostream& operator<<(std::ostream& out, const Array& x);

// What fmt knows of things that are printed with to_string(x, decimals). "{}" and "{:.2f}" are allowed; any
// other format does not compile, or throws Error if fmt::runtime hides it from the compiler.
struct DecimalsFormat {
  int decimals = kDecimals;

  constexpr auto parse(fmt::format_parse_context& context) {
    auto at = context.begin();
    const auto end = context.end();
    if (at == end || *at == '}') return at;
    bool valid = *at++ == '.' && at != end && *at >= '0' && *at <= '9';
    if (valid) decimals = *at++ - '0';
    valid = valid && at != end && *at++ == 'f' && (at == end || *at == '}');
    if (!valid) throw Error("[format] expected {} or {:.2f} for a tensor or an array (0 to 9 decimals).");
    return at;
  }

  template <class Printed, class Context>
  auto format(const Printed& x, Context& context) const {
    const std::string text = to_string(x, decimals);
    return std::copy(text.begin(), text.end(), context.out());
  }
};

}  // namespace headlight

template <>
struct fmt::formatter<headlight::Array> : headlight::DecimalsFormat {};
