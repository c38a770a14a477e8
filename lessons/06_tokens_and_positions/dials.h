// What lesson 6 draws of turning: dials with hands, like clocks.
#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <vector>

#include "headlight/draw/dark.h"

namespace headlight::lesson {

// From the middle of a dial to (x, y), where the rim has the radius 1. x goes right, y goes up.
struct Hand {
  double x = 0, y = 0;
  std::string name = {};
  const char* color = "#0072b2";
};

struct Dial {
  std::string title;  // above it
  std::vector<Hand> hands;
};

inline std::string svg_text(double x, double y, const std::string& words, const std::string& more) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" {}>{}</text>\n", x, y, more, words);
}

// A rim with twelve marks, the hands, and their names beyond their tips.
inline std::string drawn_dial(const Dial& dial, double x, double y, double radius) {
  std::string out =
      fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" fill=\"#f6f8fb\" stroke=\"#8a93a0\"/>\n",
                  x, y, radius);
  for (int k = 0; k < 12; ++k)
    out += fmt::format(
        "<path d=\"M0 -{:.1f}v5\" transform=\"translate({:.1f} {:.1f}) rotate({})\" "
        "stroke=\"#8a93a0\"/>\n",
        radius, x, y, 30 * k);
  for (const Hand& hand : dial.hands) {
    const double to_x = x + 0.84 * radius * hand.x, to_y = y - 0.84 * radius * hand.y;
    out += fmt::format(
        "<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\" stroke=\"{}\" stroke-width=\"3.2\" "
        "stroke-linecap=\"round\"/>\n",
        x, y, to_x, to_y, hand.color);
    out += svg_text(
        x + 1.17 * radius * hand.x, y - 1.17 * radius * hand.y + 5, hand.name,
        fmt::format("font-size=\"15\" font-weight=\"600\" text-anchor=\"middle\" fill=\"{}\"", hand.color));
  }
  return out + fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\"/>\n", x, y) +
         svg_text(x, y - radius - 26, dial.title, "font-size=\"15\" text-anchor=\"middle\"");
}

// Lines of dials, each with a name at its left, as a standalone SVG figure. The same dials give the same
// bytes.
inline std::string svg_dials(const std::string& title, const std::vector<std::string>& names,
                             const std::vector<std::vector<Dial>>& lines) {
  constexpr double kRadius = 52, kStep = 160, kLine = 138, kLeft = 24, kTop = 126;
  std::size_t most = 0, longest = 0;
  for (const auto& line : lines) most = std::max(most, line.size());
  for (const std::string& name : names) longest = std::max(longest, name.size());
  const double left = kLeft + 8.5 * static_cast<double>(longest) + kStep / 2;
  const double width = std::max(560.0, left + kStep * (static_cast<double>(most) - 0.5) + kLeft);
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" "
      "height=\"{1:.0f}\" role=\"img\" "
      "font-family=\"system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif\" "
      "fill=\"#1d1d28\">\n<title>{2}</title>\n{3}<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
      width, kTop + kLine * static_cast<double>(lines.size()) - 4, title, draw::kDarkStyle);
  out += svg_text(kLeft, 36, title, "font-size=\"18\" font-weight=\"600\"");
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const double y = kTop + kRadius + kLine * static_cast<double>(i) - 16;
    if (i < names.size()) out += svg_text(kLeft, y + 5, names[i], "font-size=\"15\" font-weight=\"600\"");
    for (std::size_t k = 0; k < lines[i].size(); ++k)
      out += drawn_dial(lines[i][k], left + kStep * static_cast<double>(k), y, kRadius);
  }
  return out + "</svg>\n";
}

}  // namespace headlight::lesson
