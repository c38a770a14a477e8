#include "headlight/core/memory.h"

namespace headlight {

std::string memory_text(double bytes) {
  constexpr double kMega = 1e6, kGiga = 1e9, kMost = 1e15;
  if (!(bytes < kMost)) return "more than a million GB";
  return bytes < kGiga ? fmt::format("{:.1f} MB", bytes / kMega) : fmt::format("{:.1f} GB", bytes / kGiga);
}

void require_memory(double bytes, const SettingText& what, const SettingText& hint) {
  check_setting(bytes <= kMostMemory, "{} needs about {} of memory; at most {} are taken. Hint: {}.", what,
                memory_text(bytes), memory_text(kMostMemory), hint);
}

}  // namespace headlight
