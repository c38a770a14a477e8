// Sizes are refused before anything is allocated when they need more memory than any toy model does.
#pragma once

#include <string>

#include "headlight/core/setting_text.h"

namespace headlight {

inline constexpr double kMostMemory = 8e9;  // bytes

// "7.6 GB", "4.0 MB": bytes in units of 10⁹ or 10⁶.
std::string memory_text(double bytes);

// Throws SettingError when `bytes` is more than kMostMemory: "{what} needs about 9.6 GB of memory; at
// most 8.0 GB are taken. Hint: {hint}."
void require_memory(double bytes, const SettingText& what, const SettingText& hint);

}  // namespace headlight
