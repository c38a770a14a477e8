#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "headlight/core/check.h"
#include "headlight/draw/signed_map.h"
#include "headlight/system/text.h"
#include "svg.h"

namespace headlight::draw {
namespace {

using svg::Anchor;

constexpr double kWidest = 720, kTop = 66, kLabelSize = 13, kBarWidth = 220;

struct Ramp {
  Color middle, end;
};
constexpr Color kZero{10, 10, 24};
constexpr Ramp kAbove{{27, 120, 55}, {168, 230, 172}}, kBelow{{118, 42, 131}, {226, 190, 238}};

Color between(Color a, Color b, double t) {
  const auto mix = [t](std::uint8_t from, std::uint8_t to) {
    return static_cast<std::uint8_t>(std::lround((1 - t) * from + t * to));
  };
  return {mix(a.red, b.red), mix(a.green, b.green), mix(a.blue, b.blue)};
}

void check_signed_map(const SignedMap& map) {
  check(!map.values.empty() && !map.columns.empty() && map.rows.size() == map.values.size(),
        "[signed map] expected a label for each of {} rows, and a column at least; got {} labels and {} "
        "columns.",
        map.values.size(), map.rows.size(), map.columns.size());
  check(map.texts.empty() || map.texts.size() == map.values.size(),
        "[signed map] expected {} rows of texts, got {}.", map.values.size(), map.texts.size());
  for (const auto& row : map.texts)
    check(row.size() == map.columns.size(), "[signed map] expected {} texts in each row, got {}.",
          map.columns.size(), row.size());
  for (const auto& row : map.values) {
    check(row.size() == map.columns.size(), "[signed map] expected {} numbers in each row, got {}.",
          map.columns.size(), row.size());
    for (const auto& value : row)
      check(!value || (std::isfinite(*value) && (*value >= 0 || !map.magnitudes)),
            "[signed map] expected finite numbers{}, got {}.", map.magnitudes ? " from 0 on" : "",
            value.value_or(0));
  }
}

// The largest magnitude; 1 if all numbers are 0 or absent, so that one may divide by it.
double largest_magnitude(const SignedMap& map) {
  double largest = 0;
  for (const auto& row : map.values)
    for (const auto& value : row) largest = std::max(largest, std::abs(value.value_or(0)));
  return largest > 0 ? largest : 1;
}

// "+0.31", "-1.20"; a number that rounds to 0 has no sign.
std::string signed_number(double value, int decimals) {
  const std::string text = fmt::format("{:+.{}f}", value, decimals);
  return text.find_first_of("123456789") == std::string::npos ? text.substr(1) : text;
}

// "row = sender, column = receiver"
std::string axes_legend(const SignedMap& map) {
  return fmt::format("row = {}, column = {}", map.row_name, map.column_name);
}

std::string written(const SignedMap& map, double value) {
  return map.magnitudes ? fmt::format("{:.{}f}", value, map.decimals) : signed_number(value, map.decimals);
}

// `share`: of the largest magnitude.
Color color_of(const SignedMap& map, double share) {
  return map.magnitudes ? heat_color(share) : signed_color(share);
}

// The colour bar with its numbers below, and the unit beside it.
std::string color_bar(const SignedMap& map, double left, double top) {
  constexpr int kStops = 8;
  const double largest = largest_magnitude(map), first = map.magnitudes ? 0 : -1;
  // Figures of both kinds may stand in one picture.
  const char* id = map.magnitudes ? "scale" : "bar";  // that of svg_map has the same colours
  std::string out = fmt::format("<defs><linearGradient id=\"{}\">\n", id);
  for (int i = 0; i <= kStops; ++i) {
    const double at = static_cast<double>(i) / kStops;
    out += fmt::format("<stop offset=\"{:.3f}\" stop-color=\"{}\"/>\n", at,
                       hex(color_of(map, first + at * (1 - first))));
  }
  out += "</linearGradient></defs>\n";
  out += fmt::format("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.0f}\" height=\"12\" fill=\"url(#{})\"/>\n",
                     left, top, kBarWidth, id);
  out += svg::text(left, top + 27, 13, Anchor::start, written(map, first * largest));
  if (!map.magnitudes) out += svg::text(left + kBarWidth / 2, top + 27, 13, Anchor::middle, "0");
  out += svg::text(left + kBarWidth, top + 27, 13, Anchor::end, written(map, largest));
  return map.unit.empty() ? out
                          : out + svg::text(left + kBarWidth + 12, top + 11, 13, Anchor::start, map.unit);
}

struct SignedFrame {
  double cell_width, cell_height, left, top, label_size;
};

double widest_label(const std::vector<std::string>& labels, double size) {
  double width = 0;
  for (const std::string& label : labels)
    width = std::max(width, svg::text_width(printable_token(label), size));
  return width;
}

SignedFrame signed_frame(const SignedMap& map) {
  if (!map.texts.empty()) {
    double widest = widest_label(map.columns, kLabelSize);
    for (const auto& row : map.texts) widest = std::max(widest, widest_label(row, kLabelSize));
    return {widest + 6, 22, 44 + widest_label(map.rows, kLabelSize), kTop + kLabelSize + 8, kLabelSize};
  }
  const double square =
      std::min(30.0, kWidest / static_cast<double>(std::max(map.columns.size(), map.rows.size())));
  const double size = std::min(kLabelSize, std::max(5.0, square * 0.9));
  const double cell_width = map.numbers ? std::max(54.0, widest_label(map.columns, size) + 6) : square;
  const double above =
      !map.numbers && widest_label(map.columns, size) > cell_width ? widest_label(map.columns, size) : size;
  return {cell_width, square, 44 + widest_label(map.rows, size), kTop + above + 8, size};
}

std::string cell_of(const SignedMap& map, const SignedFrame& f, std::size_t i, std::size_t j,
                    double largest) {
  const auto& value = map.values[i][j];
  if (!value) return "";
  const double x = f.left + static_cast<double>(j) * f.cell_width,
               y = f.top + static_cast<double>(i) * f.cell_height;
  std::string out =
      fmt::format("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\"/>\n", x, y,
                  f.cell_width, f.cell_height, hex(color_of(map, *value / largest)));
  if (!map.numbers && map.texts.empty()) return out;
  const char* ink = std::abs(*value / largest) > 0.6 ? " fill=\"#000000\"" : " fill=\"#eeeeee\"";
  return out + svg::text(x + f.cell_width / 2, y + f.cell_height / 2 + f.label_size * 0.35, f.label_size,
                         Anchor::middle,
                         map.texts.empty() ? written(map, *value) : printable_token(map.texts[i][j]), ink);
}

std::string signed_labels(const SignedMap& map, const SignedFrame& f) {
  std::string out;
  const bool upwards = widest_label(map.columns, f.label_size) > f.cell_width;
  for (std::size_t j = 0; j < map.columns.size(); ++j) {
    const double x = f.left + (static_cast<double>(j) + 0.5) * f.cell_width, y = f.top - 6;
    const double base = x + f.label_size * 0.35;
    out += upwards
               ? svg::text(base, y, f.label_size, Anchor::start, printable_token(map.columns[j]),
                           fmt::format(" transform=\"rotate(-90 {} {})\"", svg::number(base), svg::number(y)))
               : svg::text(x, y, f.label_size, Anchor::middle, printable_token(map.columns[j]));
  }
  for (std::size_t i = 0; i < map.rows.size(); ++i)
    out += svg::text(f.left - 6, f.top + (static_cast<double>(i) + 0.5) * f.cell_height + f.label_size * 0.35,
                     f.label_size, Anchor::end, printable_token(map.rows[i]));
  return out;
}

}  // namespace

Color signed_color(double value) {
  const Ramp& ramp = value < 0 ? kBelow : kAbove;
  const double at = 2 * clamped(std::abs(value));
  return at <= 1 ? between(kZero, ramp.middle, at) : between(ramp.middle, ramp.end, at - 1);
}

std::string svg_signed_map(const SignedMap& map) {
  check_signed_map(map);
  const SignedFrame f = signed_frame(map);
  const double largest = largest_magnitude(map);
  const double width = f.cell_width * static_cast<double>(map.columns.size()),
               height = f.cell_height * static_cast<double>(map.rows.size());
  const double room =
      std::max({f.left + width + 24, 40 + svg::text_width(map.title, 18),
                40 + svg::text_width(axes_legend(map), 13), 64 + kBarWidth + svg::text_width(map.unit, 13)});
  const double below = f.top + height + 20;
  std::string out = svg::open(room, below + 70, map.title) +
                    svg::text(20, 30, 18, Anchor::start, map.title, " font-weight=\"600\"");
  out += "<g shape-rendering=\"crispEdges\">\n";
  for (std::size_t i = 0; i < map.rows.size(); ++i)
    for (std::size_t j = 0; j < map.columns.size(); ++j) out += cell_of(map, f, i, j, largest);
  out += "</g>\n";
  return out + signed_labels(map, f) + color_bar(map, 20, below) +
         svg::text(20, below + 54, 13, Anchor::start, axes_legend(map)) + svg::kClose;
}

std::string svg_bars(const Bars& bars) {
  constexpr double kRow = 24, kBarRoom = 420;
  check(!bars.values.empty() && bars.labels.size() == bars.values.size(),
        "[bars] expected a label for each bar, and a bar at least; got {} labels and {} bars.",
        bars.labels.size(), bars.values.size());
  double low = 0, high = 0;
  for (const double value : bars.values) {
    check(std::isfinite(value), "[bars] expected finite numbers, got {}.", value);
    low = std::min(low, value), high = std::max(high, value);
  }
  const double a_unit = kBarRoom / (high > low ? high - low : 1);
  const double left = 30 + widest_label(bars.labels, kLabelSize), zero = left + 60 - low * a_unit;
  const double bottom = kTop + kRow * static_cast<double>(bars.values.size());
  const std::string title = bars.title + (bars.unit.empty() ? "" : " (" + bars.unit + ")");
  std::string out =
      svg::open(std::max(left + 120 + kBarRoom, 40 + svg::text_width(title, 18)), bottom + 20, title) +
      svg::text(20, 30, 18, Anchor::start, title, " font-weight=\"600\"");
  for (std::size_t i = 0; i < bars.values.size(); ++i) {
    const double value = bars.values[i], y = kTop + kRow * static_cast<double>(i),
                 length = std::abs(value) * a_unit;
    const bool below = value < 0;
    out += svg::text(left - 6, y + 12, kLabelSize, Anchor::end, printable(bars.labels[i]));
    out += fmt::format("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"16\" fill=\"{}\"/>\n",
                       below ? zero - length : zero, y, length, hex(signed_color(below ? -0.5 : 0.5)));
    out += svg::text(below ? zero - length - 4 : zero + length + 4, y + 12, kLabelSize,
                     below ? Anchor::end : Anchor::start, signed_number(value, bars.decimals));
  }
  return out + svg::line(zero, kTop - 6, zero, bottom, "stroke=\"#5c6675\"") + svg::kClose;
}

}  // namespace headlight::draw
