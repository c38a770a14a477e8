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

SettingValue setting_from_text(const std::string& name, const std::string& text, const SettingValue& like) {
  const auto parsed = [&]<class T>(const T&) -> SettingValue {
    if constexpr (std::same_as<T, std::string>) {
      return text;
    } else if constexpr (std::same_as<T, bool>) {
      check(text == "true" || text == "false", "expected true or false, got '{}'", text);
      return text == "true";
    } else {
      return number_from_text<T>(text);
    }
  };
  try {
    return std::visit(parsed, like);
  } catch (const Error& e) {
    fail("{}: {}.", name, e.what());
  }
}

Requirement at_least(double least) {
  return [least](const SettingValue& value) {
    const double x = as_number(value);
    return std::isfinite(x) && x >= least ? "" : fmt::format("at least {}", least);
  };
}

Requirement above(double bound) {
  return [bound](const SettingValue& value) {
    const double x = as_number(value);
    return std::isfinite(x) && x > bound ? "" : fmt::format("above {}", bound);
  };
}

Requirement from_to_below(double least, double bound) {
  return [least, bound](const SettingValue& value) {
    const double x = as_number(value);
    return x >= least && x < bound ? "" : fmt::format("at least {} and below {}", least, bound);
  };
}

}  // namespace headlight
