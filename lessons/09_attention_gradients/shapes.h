// Draws matrix products as rectangles whose sides are named: equal sides have equal colours.
#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "headlight/draw/dark.h"

namespace headlight::lesson {

// A matrix: what stands to the left of it, its name, and the names of its sides.
struct Rectangle {
  std::string before, name;
  std::string rows, columns;  // keys of the sides
  bool strong = false;        // what the line computes
};

// How long a side is drawn, and in which colour.
struct Side {
  double length;
  std::string color;
};
using Sides = std::map<std::string, Side>;

struct RectangleLine {
  std::string caption;
  std::vector<Rectangle> rectangles;
};

namespace shapes {

constexpr double kLeft = 24, kTop = 66, kUnit = 18, kOperator = 50, kCaption = 130, kBelow = 50;

// "W_Q" with its Q below the line.
inline std::string subscripted(const std::string& words) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] != '_' || i + 1 == words.size()) {
      out += words[i];
      continue;
    }
    out += fmt::format("<tspan dy=\"4\" font-size=\"70%\">{}</tspan>", words[++i]);
    if (i + 1 < words.size()) return out + "<tspan dy=\"-4\">" + words.substr(i + 1) + "</tspan>";
  }
  return out;
}

inline std::string text(double x, double y, const std::string& words, const std::string& more = "") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" {}>{}</text>\n", x, y, more, subscripted(words));
}

inline std::string edge(double x1, double y1, double x2, double y2, const std::string& color) {
  return fmt::format(
      "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" stroke-width=\"4\"/>\n",
      x1, y1, x2, y2, color);
}

// A rectangle, nothing without a name, with its upper left corner at (x, y).
inline std::string rectangle(double x, double y, const Rectangle& r, const Sides& sides) {
  if (r.name.empty()) return "";
  const Side &rows = sides.at(r.rows), &columns = sides.at(r.columns);
  const double width = columns.length * kUnit, height = rows.length * kUnit;
  std::string svg = fmt::format(
      "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\" stroke=\"#5c6675\"/>\n",
      x, y, width, height, r.strong ? "#ffe7c2" : "#f4f7fb");
  svg += edge(x, y, x + width, y, columns.color) + edge(x, y, x, y + height, rows.color);
  svg += text(x + width / 2, y + height / 2 + 6, r.name,
              "font-size=\"17\" font-weight=\"600\" text-anchor=\"middle\"");
  svg += text(x + width / 2, y - 7, r.columns, "font-size=\"14\" text-anchor=\"middle\"");
  svg += text(x - 7, y + height / 2 + 5, r.rows, "font-size=\"14\" text-anchor=\"end\"");
  return svg;
}

}  // namespace shapes

// The lines below each other, each with its caption to the left. The same lines give the same bytes.
inline std::string svg_shapes(const std::string& title, const std::vector<RectangleLine>& lines,
                              const Sides& sides) {
  using namespace shapes;
  std::string body;
  double y = kTop, right = kLeft + 10.0 * static_cast<double>(title.size());
  for (const RectangleLine& line : lines) {
    double tallest = 0;
    for (const Rectangle& r : line.rectangles) tallest = std::max(tallest, sides.at(r.rows).length * kUnit);
    const double middle = y + 20 + tallest / 2;
    body += text(kLeft, middle + 5, line.caption, "font-size=\"14\" fill=\"#5c6675\"");
    double x = kLeft + kCaption;
    for (const Rectangle& r : line.rectangles) {
      if (!r.before.empty())
        body += text(x - 2, middle + 7, r.before, "font-size=\"21\" text-anchor=\"middle\"");
      x += kOperator - 4;
      body += rectangle(x, middle - sides.at(r.rows).length * kUnit / 2, r, sides);
      x += sides.at(r.columns).length * kUnit + 22;
    }
    right = std::max(right, x);
    y += tallest + kBelow;
  }
  const double height = y;
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" "
             "height=\"{1:.0f}\" role=\"img\" font-family=\"system-ui, -apple-system, 'Segoe UI', Helvetica, "
             "Arial, sans-serif\" fill=\"#1d1d28\">\n<title>{2}</title>\n{3}"
             "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
             right + kLeft, height, title, draw::kDarkStyle) +
         text(kLeft, 32, title, "font-size=\"18\" font-weight=\"600\"") + body + "</svg>\n";
}

}  // namespace headlight::lesson
