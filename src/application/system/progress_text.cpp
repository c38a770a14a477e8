#include "headlight/system/progress_text.h"

#include <fmt/core.h>

namespace headlight {

std::string duration(double seconds) {
  const auto s = static_cast<long>(seconds + 0.5);
  return s < 60 ? fmt::format("{} s", s) : fmt::format("{}:{:02}", s / 60, s % 60);
}

std::string progress_bar(double share) {
  constexpr int kWidth = 10;
  const int filled = static_cast<int>(share * kWidth);
  std::string out;
  for (int i = 0; i < kWidth; ++i) out += i < filled ? "━" : "┈";
  return out;
}

}  // namespace headlight
