#include "headlight/core/numbers.h"

#include <cerrno>
#include <charconv>
#include <clocale>
#include <cmath>
#include <concepts>
#include <cstdlib>
#include <limits>
#if __has_include(<xlocale.h>)  // where macOS has strtod_l
#include <xlocale.h>
#endif

#include "headlight/core/check.h"

namespace headlight {
namespace {

template <class Number>
[[noreturn]] void refuse_size(std::string_view text) {
  using Limits = std::numeric_limits<Number>;
  if constexpr (std::integral<Number>) {
    if (text.starts_with('-')) fail("expected a whole number of at least {}, got '{}'", Limits::min(), text);
    fail("expected a whole number of at most {}, got '{}'", Limits::max(), text);
  } else {
    fail("expected 0, or a number of size {:.0e} to {:.0e}, got '{}'", Limits::min(), Limits::max(), text);
  }
}

template <class Number>
constexpr const char* kExpected = std::unsigned_integral<Number> ? "a whole number of at least 0"
                                  : std::integral<Number>        ? "a whole number"
                                                                 : "a number";

// result_out_of_range, or invalid_argument for a text that is no number as a whole.
template <class Number>
std::errc parse(std::string_view text, Number& number) {
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  return stopped == end ? error : std::errc::invalid_argument;
}

// libc++ has std::from_chars of double from version 20 on. strtod reads more than decimal numbers, such as
// " 1", "+1", "0x1p3" and "inf".
std::errc parse(std::string_view text, double& number) {
  static const locale_t locale = newlocale(LC_ALL_MASK, "C", nullptr);
  const bool decimal = !text.starts_with('+') && text.find_first_not_of("0123456789.eE+-") == text.npos;
  if (text.empty() || !decimal) return std::errc::invalid_argument;
  const std::string ended(text);  // with a 0
  char* stopped = nullptr;
  errno = 0;
  number = strtod_l(ended.c_str(), &stopped, locale);
  if (stopped != ended.c_str() + ended.size()) return std::errc::invalid_argument;
  const bool fits = errno != ERANGE && std::fpclassify(number) != FP_SUBNORMAL;
  return fits ? std::errc() : std::errc::result_out_of_range;
}

}  // namespace

template <class Number>
Number number_from_text(std::string_view text) {
  Number number{};
  const std::errc error = parse(text, number);
  if (error == std::errc::result_out_of_range) refuse_size<Number>(text);
  check(error == std::errc(), "expected {}, got '{}'", kExpected<Number>, text);
  return number;
}

template int number_from_text(std::string_view);
template unsigned number_from_text(std::string_view);
template long number_from_text(std::string_view);
template unsigned long number_from_text(std::string_view);
template long long number_from_text(std::string_view);
template unsigned long long number_from_text(std::string_view);
template double number_from_text(std::string_view);

std::string with_commas(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t i = digits.size(); i > 3;) digits.insert(i -= 3, ",");
  return digits;
}

}  // namespace headlight
