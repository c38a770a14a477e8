#include "headlight/draw/color.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <string_view>

#include "headlight/core/numbers.h"
#include "headlight/system/system.h"

namespace headlight::draw {
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

// The colours of xterm along kHeat, by rising lightness. The nearest of all 240 colours would alternate
// between dark greys and blues.
constexpr std::array<Color, 12> kHeat256{{{0, 0, 0},
                                          {0, 0, 95},
                                          {95, 0, 95},
                                          {95, 0, 135},
                                          {135, 0, 135},
                                          {175, 0, 135},
                                          {215, 95, 95},
                                          {255, 95, 95},
                                          {255, 135, 95},
                                          {255, 175, 95},
                                          {255, 215, 95},
                                          {255, 255, 175}}};

constexpr std::size_t kLeastColumns = 20, kMostColumns = 500;  // whatever a terminal or COLUMNS says

int distance(Color a, Color b) {
  const int red = a.red - b.red, green = a.green - b.green, blue = a.blue - b.blue;
  return red * red + green * green + blue * blue;
}

Color xterm_color(int number) {
  constexpr std::array<std::uint8_t, 6> kLevels{0, 95, 135, 175, 215, 255};
  if (number >= 232) {
    const auto grey = static_cast<std::uint8_t>(8 + 10 * (number - 232));
    return {grey, grey, grey};
  }
  const int at = number - 16;
  const auto level = [&](int i) { return kLevels[static_cast<std::size_t>(i % 6)]; };
  return {level(at / 36), level(at / 6), level(at)};
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Select Graphic Rendition: 38 sets the foreground, 48 the background.
std::string select(int what, Color c, ColorMode mode) {
  switch (mode) {
    case ColorMode::none:
      return "";
    case ColorMode::palette256:
      return fmt::format("\x1b[{};5;{}m", what, palette256(c));
    case ColorMode::truecolor:
      break;
  }
  return fmt::format("\x1b[{};2;{};{};{}m", what, c.red, c.green, c.blue);
}

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

Color heat_color(double value, ColorMode mode) {
  const Color exact = heat_color(value);
  if (mode != ColorMode::palette256) return exact;
  return *std::min_element(kHeat256.begin(), kHeat256.end(),
                           [&](Color a, Color b) { return distance(a, exact) < distance(b, exact); });
}

std::vector<std::string> heat_colors() {
  std::vector<std::string> hexes;
  for (const Color c : kHeat) hexes.push_back(hex(c));
  return hexes;
}

std::string hex(Color c) { return fmt::format("#{:02x}{:02x}{:02x}", c.red, c.green, c.blue); }

int palette256(Color color) {
  int nearest = 16;
  for (int number = 17; number < 256; ++number)
    if (distance(xterm_color(number), color) < distance(xterm_color(nearest), color)) nearest = number;
  return nearest;
}

std::string foreground(Color color, ColorMode mode) { return select(38, color, mode); }
std::string background(Color color, ColorMode mode) { return select(48, color, mode); }
std::string reset(ColorMode mode) { return mode == ColorMode::none ? "" : "\x1b[0m"; }

ColorMode color_mode_of(const std::string& term, const std::string& colorterm) {
  const auto starts = [&](std::string_view name) { return term.starts_with(name); };
  const auto has = [&](std::string_view name) { return term.find(name) != std::string::npos; };
  if (term.empty() || term == "dumb" || starts("vt") || starts("ansi")) return ColorMode::none;
  if (colorterm == "truecolor" || colorterm == "24bit" || has("direct") || has("kitty") || has("alacritty"))
    return ColorMode::truecolor;
  return ColorMode::palette256;
}

ColorMode color_mode(bool wanted) {
  if (!wanted || !variable("NO_COLOR").empty() || !system::is_terminal(stdout)) return ColorMode::none;
  return color_mode_of(variable("TERM"), variable("COLORTERM"));
}

bool can_redraw(std::FILE* out) {
  const std::string term = variable("TERM");
  return system::is_terminal(out) && !term.empty() && term != "dumb";
}

std::optional<std::size_t> known_columns() {
  const auto drawable = [](std::size_t columns) { return std::clamp(columns, kLeastColumns, kMostColumns); };
  if (const auto columns = system::terminal_columns()) return drawable(*columns);
  const std::string said = variable("COLUMNS");
  if (said.empty() || said.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
  if (said.find_first_not_of('0') == std::string::npos) return std::nullopt;
  return said.size() > 9 ? kMostColumns : drawable(number_from_text<unsigned long>(said));
}

std::size_t terminal_columns() { return known_columns().value_or(80); }

}  // namespace headlight::draw
