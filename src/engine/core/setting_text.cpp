#include "headlight/core/setting_text.h"

namespace headlight {

std::string to_string(const SettingKey& key) {
  return key.value.empty() ? key.name : key.name + " = " + key.value;
}

std::string to_string(const SettingText& text) {
  return text.with([](const SettingKey& key) { return to_string(key); });
}

SettingError::SettingError(SettingText text) : Error(to_string(text)), text_(std::move(text)) {}

}  // namespace headlight
