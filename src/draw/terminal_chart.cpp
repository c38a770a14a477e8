#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "headlight/draw/chart.h"
#include "headlight/system/text.h"
#include "scale.h"
#include "series_style.h"

namespace headlight::draw {
namespace {

constexpr std::size_t kLines = 16;  // height of the plot

// The letters of the series in a terminal without colours.
std::string letter(std::size_t series) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  return std::string(1, kLetters[series % kLetters.size()]);
}

// Cells of a terminal, each with 2 x 4 dots in the colour of the series drawn last; without colours a cell is
// one dot.
class Canvas {
 public:
  Canvas(std::size_t columns, std::size_t lines, ColorMode mode)
      : columns_(columns), mode_(mode), cells_(columns * lines) {}

  std::size_t dots_across() const { return columns_ * (mode_ == ColorMode::none ? 1 : 2); }
  std::size_t dots_down() const { return cells_.size() / columns_ * (mode_ == ColorMode::none ? 1 : 4); }

  // x from the left, y from the top
  void dot(std::size_t x, std::size_t y, std::size_t series) {
    constexpr std::array<unsigned, 8> kBits{0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80};
    const bool colored = mode_ != ColorMode::none;
    Cell& cell = cells_[(colored ? y / 4 : y) * columns_ + (colored ? x / 2 : x)];
    cell.series = series;
    cell.dots |= colored ? kBits[y % 4 * 2 + x % 2] : 1;
  }

  std::string line(std::size_t row) const {
    std::string out, current;
    for (std::size_t i = 0; i < columns_; ++i) {
      const Cell& cell = cells_[row * columns_ + i];
      if (cell.dots == 0) {
        out += " ";
        continue;
      }
      const std::string style = foreground(series_color(cell.series), mode_);
      if (style != current) out += style;
      current = style;
      out += mode_ == ColorMode::none ? letter(cell.series) : braille(cell.dots);
    }
    while (out.ends_with(' ')) out.pop_back();
    return current.empty() ? out : out + reset(mode_);
  }

 private:
  struct Cell {
    unsigned dots = 0;
    std::size_t series = 0;
  };

  // U+2800 and the pattern of dots, in UTF-8
  static std::string braille(unsigned dots) {
    return {static_cast<char>(0xE2), static_cast<char>(0xA0 | (dots >> 6)),
            static_cast<char>(0x80 | (dots & 0x3F))};
  }

  std::size_t columns_;
  ColorMode mode_;
  std::vector<Cell> cells_;
};

struct Dot {
  double x, y;  // 0 … 1 within the plot
};

// The part of the segment inside the plot (Liang and Barsky 1984). Without this, a segment far beyond an axis
// with given ends would draw a huge number of dots.
bool clip(Dot& a, Dot& b) {
  double from = 0, to = 1;
  const double dx = b.x - a.x, dy = b.y - a.y;
  const std::array<std::array<double, 2>, 4> sides{{{-dx, a.x}, {dx, 1 - a.x}, {-dy, a.y}, {dy, 1 - a.y}}};
  for (const auto& [towards, room] : sides) {
    if (towards == 0 && room < 0) return false;
    if (towards < 0) from = std::max(from, room / towards);
    if (towards > 0) to = std::min(to, room / towards);
  }
  if (from > to) return false;
  b = {a.x + to * dx, a.y + to * dy};
  a = {a.x + from * dx, a.y + from * dy};
  return true;
}

void draw(Canvas& canvas, const Series& series, const Scales& scales, std::size_t number) {
  const double across = static_cast<double>(canvas.dots_across() - 1);
  const double down = static_cast<double>(canvas.dots_down() - 1);
  for (std::size_t i = 0; i < series.x.size(); ++i) {
    const std::size_t j = series.dots ? i : std::min(i + 1, series.x.size() - 1);
    Dot a{scales.x.at(series.x[i]), scales.y.at(series.y[i])};
    Dot b{scales.x.at(series.x[j]), scales.y.at(series.y[j])};
    if (!clip(a, b)) continue;
    const double dots = std::ceil(std::max(std::abs(b.x - a.x) * across, std::abs(b.y - a.y) * down));
    for (double k = 0; k <= dots; ++k) {
      const double t = dots == 0 ? 0 : k / dots;
      const double x = clamped(a.x + t * (b.x - a.x)), y = clamped(a.y + t * (b.y - a.y));
      canvas.dot(static_cast<std::size_t>(std::lround(x * across)),
                 static_cast<std::size_t>(std::lround((1 - y) * down)), number);
    }
  }
}

std::string legend(const Chart& chart, ColorMode mode, std::size_t columns) {
  if (chart.series.size() == 1 && chart.series[0].name.empty()) return "";
  std::string out;
  std::size_t used = 0;
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    const std::string name = printable(chart.series[i].name);
    if (name.empty()) continue;
    const std::size_t style = style_of(chart, i);
    const std::size_t width = display_width(name) + 6;
    if (used > 0 && used + width > columns) {
      out += "\n";
      used = 0;
    }
    out += used > 0 ? "   " : "";
    out += mode == ColorMode::none
               ? letter(style)
               : foreground(series_color(style), mode) + (chart.series[i].dots ? " ●" : "━━") + reset(mode);
    out += " " + name;
    used += width;
  }
  return out + "\n";
}

std::string spaces(std::size_t count) { return std::string(count, ' '); }

// The line of labels below the x axis; a label that would touch its neighbour is left out.
std::string x_labels(const Scale& x, std::size_t columns) {
  std::string out;
  std::size_t used = 0;
  for (const Tick& tick : x.ticks) {
    const std::size_t width = display_width(tick.label);
    const auto at =
        static_cast<std::size_t>(std::lround(x.at(tick.value) * static_cast<double>(columns - 1)));
    const std::size_t start = std::min(at - std::min(at, width / 2), columns - std::min(columns, width));
    if (used > 0 && start < used + 1) continue;
    out += spaces(start - used) + tick.label;
    used = start + width;
  }
  return out;
}

std::string x_line(const Scale& x, std::size_t columns) {
  std::vector<const char*> parts(columns, "─");
  for (const Tick& tick : x.ticks)
    parts[static_cast<std::size_t>(std::lround(x.at(tick.value) * static_cast<double>(columns - 1)))] = "┬";
  std::string out;
  for (const char* part : parts) out += part;
  return out;
}

// The tick that stands on each line of the plot.
std::array<std::string, kLines> y_labels(const Scale& y) {
  std::array<std::string, kLines> labels;
  for (const Tick& tick : y.ticks)
    labels[static_cast<std::size_t>(std::lround((1 - y.at(tick.value)) * (kLines - 1)))] = tick.label;
  return labels;
}

}  // namespace

std::string terminal_chart(const Chart& chart, ColorMode mode, std::size_t columns) {
  const Scales scales = scales_of(chart, static_cast<int>(std::clamp<std::size_t>(columns / 10, 2, 10)), 5);
  const auto labels = y_labels(scales.y);
  std::size_t margin = 0;
  for (const std::string& label : labels) margin = std::max(margin, display_width(label));
  const std::size_t across = columns > margin + 12 ? columns - margin - 2 : 10;

  Canvas canvas(across, kLines, mode);
  for (std::size_t i = 0; i < chart.series.size(); ++i)
    draw(canvas, chart.series[i], scales, style_of(chart, i));

  std::string out = chart.title.empty() ? "" : printable(chart.title) + "\n";
  out += legend(chart, mode, columns);
  if (!chart.y.label.empty()) out += printable(chart.y.label) + "\n";
  for (std::size_t row = 0; row < kLines; ++row)
    out += spaces(margin - display_width(labels[row])) + labels[row] + (labels[row].empty() ? " │" : " ┤") +
           canvas.line(row) + "\n";
  out += spaces(margin) + " └" + x_line(scales.x, across) + "\n";
  out += spaces(margin + 2) + x_labels(scales.x, across) + "\n";
  if (chart.x.label.empty()) return out;
  const std::string label = printable(chart.x.label);
  return out + spaces(margin + 2 + across - std::min(across, display_width(label))) + label + "\n";
}

}  // namespace headlight::draw
