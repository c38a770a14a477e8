// Arrays as text: to_string(x), fmt::print("{}", x), fmt::print("{:.2f}", x) and std::cout << x.
#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <concepts>
#include <iosfwd>
#include <string>

#include "headlight/core/array.h"
#include "headlight/core/check.h"

namespace headlight {

inline constexpr int kDecimals = 4;  // of a number, unless others are asked for

// How numbers are written: 'f' is 0.0012, 'e' is 1.2e-03. Otherwise fixed, but with exponents where fixed
// digits would show nothing but zeros, and for numbers of 1e8 and more.
struct NumberFormat {
  int decimals = kDecimals;
  char notation = '\0';
};

// The numbers, nested in brackets as NumPy prints them. Of more than 1000 numbers the text has the first and
// the last three places of each axis, and "..." between them.
std::string to_string(const Array& x, const NumberFormat& format = {});
inline std::string to_string(const Array& x, int decimals) {
  return to_string(x, NumberFormat{decimals, 'f'});
}

// Whole numbers and "true" or "false", in the same brackets.
std::string text_of(const IntArray& x);
std::string text_of(const BoolArray& x);

// These take their own type only. An expression of xtensor, which could become either, is printed as an
// Array.
template <class T>
concept PlainArray = std::same_as<T, IntArray> || std::same_as<T, BoolArray>;
template <PlainArray T>
std::string to_string(const T& x) {
  return text_of(x);
}

// As to_string(x).
std::ostream& operator<<(std::ostream& out, const Array& x);
std::ostream& write_text(std::ostream& out, const std::string& text);
template <PlainArray T>
std::ostream& operator<<(std::ostream& out, const T& x) {
  return write_text(out, text_of(x));
}

// What fmt knows of things that are printed with to_string(x, format). "{}", "{:.2f}" and "{:.2e}" are
// allowed; any other format does not compile, or throws Error if fmt::runtime hides it from the compiler.
struct DecimalsFormat {
  NumberFormat wanted = {};

  constexpr auto parse(fmt::format_parse_context& context) {
    auto at = context.begin();
    const auto end = context.end();
    if (at == end || *at == '}') return at;
    bool valid = *at++ == '.' && at != end && *at >= '0' && *at <= '9';
    if (valid) wanted.decimals = *at++ - '0';
    valid = valid && at != end && (*at == 'f' || *at == 'e');
    if (valid) wanted.notation = *at++;
    valid = valid && (at == end || *at == '}');
    if (!valid)
      throw Error("[format] expected {}, {:.2f} or {:.2e} for a tensor or an array (0 to 9 decimals).");
    return at;
  }

  template <class Printed, class Context>
  auto format(const Printed& x, Context& context) const {
    const std::string text = to_string(x, wanted);
    return std::copy(text.begin(), text.end(), context.out());
  }
};

// The same for masks and whole numbers, which have no decimals.
struct PlainFormat {
  constexpr auto parse(fmt::format_parse_context& context) {
    if (context.begin() != context.end() && *context.begin() != '}')
      throw Error("[format] expected {} for an array of whole numbers or a mask.");
    return context.begin();
  }

  template <class Printed, class Context>
  auto format(const Printed& x, Context& context) const {
    const std::string text = text_of(x);
    return std::copy(text.begin(), text.end(), context.out());
  }
};

}  // namespace headlight

template <>
struct fmt::formatter<headlight::Array> : headlight::DecimalsFormat {};
template <>
struct fmt::formatter<headlight::IntArray> : headlight::PlainFormat {};
template <>
struct fmt::formatter<headlight::BoolArray> : headlight::PlainFormat {};
