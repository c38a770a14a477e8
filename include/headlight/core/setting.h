// Setting: one row of the table that command line, help, JSON, checks and errors read. The default is the
// initialiser of the config's member.
#pragma once

#include <fmt/format.h>

#include <concepts>
#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "headlight/core/registry.h"
#include "headlight/core/setting_text.h"

namespace headlight {

using SettingValue = std::variant<bool, std::int64_t, std::uint64_t, double, std::string>;

// "700", "0.007", "true", "adamw"
std::string to_string(const SettingValue& value);

// The value that a text stands for, of the same kind as `like`. Throws Error with the name of the setting:
// "--steps: expected a whole number of at least 0, got 'many'."
SettingValue setting_from_text(const std::string& name, const std::string& text, const SettingValue& like);

// What a value must be, when this one is not: "at least 1". Empty: it may be. Throws Error for a name that
// its registry does not know.
using Requirement = std::function<std::string(const SettingValue&)>;

template <class Config>
struct Setting {
  std::string key;   // in JSON and messages: "n_heads"
  std::string flag;  // on the command line: "--heads"; without a value for a bool, which it turns over
  std::string help;  // a phrase, without its default
  std::function<SettingValue(const Config&)> get;
  std::function<void(Config&, const SettingValue&)> set;
  Requirement expects = {};
  std::function<std::vector<std::string>()> choices = {};  // the names to choose from, where it is a name
  // Why the setting `key` of the same config has no effect with this row's choice; empty: it has one.
  // "the optimizer 'sgd' does not use it"
  std::function<std::string(const Config&, const std::string& key)> disables = {};
  // Why this row's value has no effect in a config, "the context has no more tokens"; empty: it has one.
  std::function<std::string(const Config&)> idle = {};
};

// value ≥ least; value > bound; least ≤ value < bound.
Requirement at_least(double least);
Requirement above(double bound);
Requirement from_to_below(double least, double bound);

namespace detail {
template <class T>
auto widened(const T& value) {
  if constexpr (std::same_as<T, bool> || std::same_as<T, std::string>)
    return value;
  else if constexpr (std::floating_point<T>)
    return static_cast<double>(value);
  else if constexpr (std::is_unsigned_v<T>)
    return static_cast<std::uint64_t>(value);
  else
    return static_cast<std::int64_t>(value);
}
}  // namespace detail

// A row for a number, a text or a bool:
//   setting("steps", "--steps", "Training steps", &TrainConfig::steps, at_least(1))
template <class Config, class T>
Setting<Config> setting(std::string key, std::string flag, std::string help, T Config::*member,
                        Requirement expects = {}) {
  using Wide = decltype(detail::widened(std::declval<T>()));
  return {
      std::move(key),
      std::move(flag),
      std::move(help),
      [member](const Config& c) { return SettingValue(detail::widened(c.*member)); },
      [member](Config& c, const SettingValue& value) { c.*member = static_cast<T>(std::get<Wide>(value)); },
      std::move(expects),
      {}};
}

// The row with a reason why its value may have no effect.
template <class Config>
Setting<Config> idle_when(Setting<Config> row,
                          std::type_identity_t<std::function<std::string(const Config&)>> why) {
  row.idle = std::move(why);
  return row;
}

// A row for a name out of a registry. The registry is a function, so that names added later are known.
template <class Config, class Thing>
Setting<Config> choice(std::string key, std::string flag, std::string help, std::string Config::*member,
                       Registry<Thing>& (*registry)()) {
  Setting<Config> row = setting(std::move(key), std::move(flag), std::move(help), member);
  row.expects = [registry](const SettingValue& name) {
    registry().find(std::get<std::string>(name));
    return "";
  };
  row.choices = [registry] { return registry().names(); };
  row.disables = [registry, member](const Config& c, const std::string& other) -> std::string {
    return registry().ignores(c.*member, other)
               ? fmt::format("the {} '{}' does not use it", registry().kind(), c.*member)
               : "";
  };
  return row;
}

// The row as one of a larger config, of which `part` is a member.
template <class Whole, class Part>
Setting<Whole> within(Part Whole::*part, const Setting<Part>& row) {
  Setting<Whole> whole{row.key,
                       row.flag,
                       row.help,
                       [part, get = row.get](const Whole& c) { return get(c.*part); },
                       [part, set = row.set](Whole& c, const SettingValue& value) { set(c.*part, value); },
                       row.expects,
                       row.choices};
  if (row.disables)
    whole.disables = [part, disables = row.disables](const Whole& c, const std::string& key) {
      return disables(c.*part, key);
    };
  if (row.idle) whole.idle = [part, idle = row.idle](const Whole& c) { return idle(c.*part); };
  return whole;
}

// Why the setting `key` of these rows has no effect in this config; empty: it has one, as far as the rows
// know.
template <class Config>
std::string why_idle(const std::vector<Setting<Config>>& rows, const Config& config, const std::string& key) {
  for (const Setting<Config>& row : rows) {
    std::string why;
    if (row.key == key) {
      if (row.idle) why = row.idle(config);
    } else if (row.disables) {
      why = row.disables(config, key);
    }
    if (!why.empty()) return why;
  }
  return "";
}

// Throws SettingError for a value that the row does not allow, given as this text: "{name} must be at least
// 1, got 0."
template <class Config>
void require_allowed(const Setting<Config>& row, const SettingValue& value, const std::string& name,
                     const std::string& given) {
  const std::string expected = row.expects ? row.expects(value) : "";
  check_setting(expected.empty(), "{} must be {}, got {}.", setting_key(name), expected, given);
}

// The same for the first row whose value is not allowed: "train.steps must be at least 1, got 0."
template <class Config>
void check_settings(const std::vector<Setting<Config>>& rows, const Config& config, const std::string& part) {
  for (const Setting<Config>& row : rows) {
    const SettingValue value = row.get(config);
    require_allowed(row, value, part + "." + row.key, to_string(value));
  }
}

}  // namespace headlight
