#include "headlight/core/memory.h"

#include "headlight/core/check.h"
#include "headlight/core/system.h"

namespace headlight::inline HEADLIGHT_PRECISION {

std::string memory_text(double bytes) {
  constexpr double kMega = 1e6, kGiga = 1e9, kMost = 1e15;
  if (!(bytes < kMost)) return "more than a million GB";
  return bytes < kGiga ? fmt::format("{:.1f} MB", bytes / kMega) : fmt::format("{:.1f} GB", bytes / kGiga);
}

void require_memory(double bytes, const std::string& what, const std::string& hint) {
  const auto usable = static_cast<double>(system::usable_memory());
  check(bytes <= usable, "{} needs about {} of memory, but this machine allows {}. Hint: {}.", what,
        memory_text(bytes), memory_text(usable), hint);
}

}  // namespace headlight::inline HEADLIGHT_PRECISION
