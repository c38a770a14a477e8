#include "headlight/core/numbers.h"

#include <charconv>
#include <cmath>
#include <concepts>
#include <limits>
#include <version>

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

}  // namespace

template <class Number>
Number number_from_text(std::string_view text) {
  Number number{};
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  const bool whole = stopped == end && !text.empty();
  if (whole && error == std::errc::result_out_of_range) refuse_size<Number>(text);
  check(whole && error == std::errc(), "expected {}, got '{}'", kExpected<Number>, text);
  if constexpr (std::floating_point<Number>) {
    check(std::isfinite(number), "expected {}, got '{}'", kExpected<Number>, text);  // "inf" and "nan"
    if (std::fpclassify(number) == FP_SUBNORMAL) refuse_size<Number>(text);
  }
  return number;
}

template int number_from_text(std::string_view);
template unsigned number_from_text(std::string_view);
template long number_from_text(std::string_view);
template unsigned long number_from_text(std::string_view);
template long long number_from_text(std::string_view);
template unsigned long long number_from_text(std::string_view);
#ifdef __cpp_lib_to_chars  // libc++ of clang 19 reads whole numbers only
template double number_from_text(std::string_view);
#endif

std::string with_commas(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t i = digits.size(); i > 3;) digits.insert(i -= 3, ",");
  return digits;
}

}  // namespace headlight
