// A text that names settings. A config calls a setting "train.steps", a command line "--steps"; so the text
// is made when it is known who reads it.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <string>
#include <utility>

#include "headlight/core/check.h"

namespace headlight {

// A setting in a text: "d_head" or, with the part of the config, "train.steps". With a value it is an
// assignment, "d_model = 64".
struct SettingKey {
  std::string name;
  std::string value = {};
};

// The key of a setting, alone or with a value.
inline SettingKey setting_key(std::string name) { return {std::move(name)}; }
template <class Value>
SettingKey setting_key(std::string name, const Value& value) {
  return {std::move(name), fmt::format("{}", value)};
}

// "d_head", "d_model = 64"
std::string to_string(const SettingKey& key);

class SettingText {
 public:
  using Names = std::function<std::string(const SettingKey&)>;

  SettingText() = default;  // ""

  // A message and its values, as for fmt::format. Values may be keys and other texts.
  //   SettingText("{} is not divisible by {}.", setting_key("d_model", 64), setting_key("n_heads", 5))
  template <class... Args>
  explicit SettingText(fmt::format_string<Args...> message, Args... args)
      : say_([message = fmt::string_view(message), ... args = std::move(args)](const Names& names) {
          return fmt::format(fmt::runtime(message), said(args, names)...);
        }) {}

  // The text, in which `names` says each key.
  std::string with(const Names& names) const { return say_ ? say_(names) : ""; }

 private:
  template <class T>
  static const T& said(const T& value, const Names&) {
    return value;
  }
  static std::string said(const SettingKey& key, const Names& names) { return names(key); }
  static std::string said(const SettingText& text, const Names& names) { return text.with(names); }

  std::function<std::string(const Names&)> say_;
};

// The text with the names of the keys themselves.
std::string to_string(const SettingText& text);

// An error that names settings.
class SettingError : public Error {
 public:
  explicit SettingError(SettingText text);
  const SettingText& text() const { return text_; }

 private:
  SettingText text_;
};

// fail() and check() for a message that names settings.
//   check_setting(n > 0, "attention needs at least one head, got {}.", setting_key("n_heads", n));
template <class... Args>
[[noreturn]] void fail_setting(fmt::format_string<Args...> message, Args... args) {
  throw SettingError(SettingText(message, std::move(args)...));
}
template <class... Args>
void check_setting(bool ok, fmt::format_string<Args...> message, Args... args) {
  if (!ok) [[unlikely]]
    throw SettingError(SettingText(message, std::move(args)...));
}

}  // namespace headlight

template <>
struct fmt::formatter<headlight::SettingKey> : fmt::formatter<std::string> {
  auto format(const headlight::SettingKey& key, fmt::format_context& context) const {
    return fmt::formatter<std::string>::format(headlight::to_string(key), context);
  }
};
template <>
struct fmt::formatter<headlight::SettingText> : fmt::formatter<std::string> {
  auto format(const headlight::SettingText& text, fmt::format_context& context) const {
    return fmt::formatter<std::string>::format(headlight::to_string(text), context);
  }
};
