#include "headlight/report/color.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <string_view>

namespace headlight::report {
namespace {

// Points at equal distances, lightness rising in equal steps.
constexpr std::array<Color, 8> kHeat{{{10, 10, 24},
                                      {38, 22, 92},
                                      {93, 24, 124},
                                      {149, 40, 120},
                                      {204, 64, 94},
                                      {241, 112, 64},
                                      {252, 176, 74},
                                      {252, 245, 180}}};

}  // namespace

double clamped(double value) { return std::isnan(value) ? 0 : std::clamp(value, 0.0, 1.0); }

Color heat_color(double value) {
  const double at = clamped(value) * (kHeat.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(at), kHeat.size() - 2);
  const double t = at - static_cast<double>(below);
  const auto mix = [&](std::uint8_t Color::*channel) {
    return static_cast<std::uint8_t>(
        std::lround((1 - t) * (kHeat[below].*channel) + t * (kHeat[below + 1].*channel)));
  };
  return {mix(&Color::red), mix(&Color::green), mix(&Color::blue)};
}

std::string hex(Color c) { return fmt::format("#{:02x}{:02x}{:02x}", c.red, c.green, c.blue); }

ColorMode color_mode(bool wanted) {
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  const bool refused =
      (no_color != nullptr && *no_color != '\0') || (term != nullptr && std::string_view(term) == "dumb");
  return wanted && !refused && ::isatty(STDOUT_FILENO) == 1 ? ColorMode::truecolor : ColorMode::none;
}

}  // namespace headlight::report
