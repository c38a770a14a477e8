#include "headlight/core/setting.h"

#include <charconv>
#include <cmath>
#include <concepts>
#include <limits>

namespace headlight::inline HEADLIGHT_PRECISION {
namespace {

double as_number(const SettingValue& value) {
  return std::visit(
      [](const auto& x) -> double {
        if constexpr (std::same_as<std::remove_cvref_t<decltype(x)>, std::string>)
          fail("must be a number");
        else
          return static_cast<double>(x);
      },
      value);
}

template <class T>
T parsed(const std::string& text, const char* what) {
  T value{};
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  if constexpr (std::integral<T>)
    if (error == std::errc::result_out_of_range && stopped == end)
      fail("expected a whole number of at {}, got '{}'",
           text.starts_with('-') ? fmt::format("least {}", std::numeric_limits<T>::min())
                                 : fmt::format("most {}", std::numeric_limits<T>::max()),
           text);
  check(error == std::errc() && stopped == end && !text.empty(), "expected {}, got '{}'", what, text);
  return value;
}

}  // namespace

std::string to_string(const SettingValue& value) {
  return std::visit([](const auto& x) { return fmt::format("{}", x); }, value);
}

SettingValue setting_from_text(const std::string& text, const SettingValue& like) {
  if (std::holds_alternative<std::string>(like)) return text;
  if (std::holds_alternative<double>(like)) return parsed<double>(text, "a number");
  if (std::holds_alternative<std::uint64_t>(like))
    return parsed<std::uint64_t>(text, "a whole number of at least 0");
  if (std::holds_alternative<std::int64_t>(like)) return parsed<std::int64_t>(text, "a whole number");
  check(text == "true" || text == "false", "expected true or false, got '{}'", text);
  return text == "true";
}

std::function<void(const SettingValue&)> at_least(double least) {
  return [least](const SettingValue& value) {
    const double x = as_number(value);
    check(std::isfinite(x) && x >= least, "must be at least {}", least);
  };
}

std::function<void(const SettingValue&)> above(double bound) {
  return [bound](const SettingValue& value) {
    const double x = as_number(value);
    check(std::isfinite(x) && x > bound, "must be above {}", bound);
  };
}

std::function<void(const SettingValue&)> from_to_below(double least, double bound) {
  return [least, bound](const SettingValue& value) {
    const double x = as_number(value);
    check(x >= least && x < bound, "must be at least {} and below {}", least, bound);
  };
}

}  // namespace headlight::inline HEADLIGHT_PRECISION
