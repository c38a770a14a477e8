#include "headlight/core/setting.h"

#include <cmath>
#include <concepts>

#include "headlight/core/numbers.h"

namespace headlight {
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

}  // namespace

std::string to_string(const SettingValue& value) {
  return std::visit([](const auto& x) { return fmt::format("{}", x); }, value);
}

SettingValue setting_from_text(const std::string& text, const SettingValue& like) {
  if (std::holds_alternative<std::string>(like)) return text;
  if (std::holds_alternative<double>(like)) return number_from_text<double>(text);
  if (std::holds_alternative<std::uint64_t>(like)) return number_from_text<std::uint64_t>(text);
  if (std::holds_alternative<std::int64_t>(like)) return number_from_text<std::int64_t>(text);
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

}  // namespace headlight
