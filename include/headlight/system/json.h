// JSON from elsewhere. All JSON that Headlight reads goes through json_from().
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>

#include "headlight/core/check.h"

namespace headlight {

struct JsonLimits {
  std::size_t depth = 64;  // of arrays and objects inside each other: deeper ones would overflow the stack
  std::size_t keys = 100;  // of one object: an ordered_json looks through all of them for each new one
  std::size_t values = 500'000;  // of the whole text: a value of two bytes takes up to a hundred in memory
  std::size_t line = 1;          // the number of the text's first line, for messages
};

// Throws Error unless the text is one JSON value which every program reads alike: valid UTF-8 within the
// limits, no key twice in an object, no number that 64 bits cannot hold. Takes linear time, and no recursion.
// The message names the line, as "line 3 repeats the key 'seed'": the caller puts the file before it.
void check_json(std::string_view text, const JsonLimits& limits = {});

// While it exists, this thread reads numbers as in the locale "C". The parser calls strtod, which takes the
// decimal sign that the program's setlocale() has chosen.
class PlainLocale {
 public:
  PlainLocale();
  ~PlainLocale();
  PlainLocale(const PlainLocale&) = delete;
  PlainLocale& operator=(const PlainLocale&) = delete;

 private:
  void* before_;
};

// The value of a text, after check_json(). Json is nlohmann::json or nlohmann::ordered_json, which this
// header does not need.
template <class Json>
Json json_from(std::string_view text, const JsonLimits& limits = {}) {
  check_json(text, limits);
  const PlainLocale locale;
  return Json::parse(text.begin(), text.end());
}

// The number, exactly. Throws Error when it is none or T cannot hold it: "expected a whole number of at least
// 0, got 1e3". A double takes the nearest value of a fraction, and whole numbers that it can hold.
template <class T, class Json>
requires std::is_arithmetic_v<T> &&(!std::same_as<T, bool>)T number_of(const Json& json) {
  constexpr bool kWhole = std::integral<T>;
  const char* expected = !kWhole                 ? "a number"
                         : std::is_unsigned_v<T> ? "a whole number of at least 0"
                                                 : "a whole number";
  const auto held = [&](auto n) {
    if constexpr (kWhole) check(std::in_range<T>(n), "expected {} that fits, got {}", expected, n);
    const T value = static_cast<T>(n);
    // 2^64 as a double is no std::uint64_t, so the conversion back is only tried below it.
    if constexpr (!kWhole)
      check(value < static_cast<T>(0x1p63) && static_cast<decltype(n)>(value) == n,
            "expected a number that a double holds exactly, got {}", n);
    return value;
  };
  check(kWhole ? json.is_number_integer() : json.is_number(), "expected {}, got {}", expected, json.dump());
  if (json.is_number_unsigned()) return held(json.template get<std::uint64_t>());
  if (json.is_number_integer()) return held(json.template get<std::int64_t>());
  return static_cast<T>(json.template get<double>());
}

}  // namespace headlight
