#include "terminal_map.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "headlight/system/text.h"

namespace headlight::draw {
namespace {

constexpr std::array<const char*, 10> kShades{" ", ".", ":", "-", "=", "+", "*", "#", "%", "@"};

constexpr const char* kNotSeen = "/";

const char* shade(double weight) {
  if (std::isnan(weight)) return kNotSeen;
  return kShades[static_cast<std::size_t>(std::lround(clamped(weight) * (kShades.size() - 1)))];
}

// Two rows in one line of upper half blocks: the foreground is the upper row, the background the lower one.
std::string colored_line(const Array& weights, std::size_t row, ColorMode mode) {
  const auto color = [&](std::size_t i, std::size_t j) {
    const auto weight = static_cast<double>(weights(i, j));
    return std::isnan(weight) ? kUnseen : heat_color(weight, mode);
  };
  std::string line, current;
  for (std::size_t j = 0; j < weights.shape()[1]; ++j) {
    std::string style = foreground(color(row, j), mode);
    style += row + 1 < weights.shape()[0] ? background(color(row + 1, j), mode) : "\x1b[49m";
    if (style != current) line += style;
    current = style;
    line += "▀";
  }
  return line + reset(mode);
}

std::string plain_line(const Array& weights, std::size_t row) {
  std::string line;
  for (std::size_t j = 0; j < weights.shape()[1]; ++j) line += shade(static_cast<double>(weights(row, j)));
  return line;
}

}  // namespace

Array pooled(const Heatmap& map, std::size_t k) {
  const std::size_t n = map.weights.shape()[0], m = map.weights.shape()[1];
  Array out = Array::from_shape({(n + k - 1) / k, (m + k - 1) / k});
  std::fill(out.begin(), out.end(), std::numeric_limits<Real>::quiet_NaN());
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < m; ++j)
      if (!map.seen || (*map.seen)(i, j))
        out(i / k, j / k) = std::fmax(out(i / k, j / k), map.weights(i, j));  // fmax drops the NaN
  return out;
}

std::size_t pooling_to_fit(std::size_t m, std::size_t room) {
  return m <= room ? 1 : (m + room - 1) / std::max<std::size_t>(room, 1);
}

std::size_t rows_a_line(ColorMode mode) { return mode == ColorMode::none ? 1 : 2; }

std::vector<std::string> map_lines(const Array& weights, ColorMode mode) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < weights.shape()[0]; i += rows_a_line(mode))
    lines.push_back(mode == ColorMode::none ? plain_line(weights, i) : colored_line(weights, i, mode));
  return lines;
}

std::string map_legend(ColorMode mode, std::size_t k, std::size_t columns, bool hides) {
  constexpr int kSteps = 20;
  std::string bar;
  for (int i = 0; i <= kSteps; ++i) {
    const double value = static_cast<double>(i) / kSteps;
    bar += mode == ColorMode::none ? shade(value) : foreground(heat_color(value, mode), mode) + "█";
  }
  std::string out = "0 " + bar + reset(mode) + " 1";
  std::string axes = "attention; row = query, column = key";
  if (hides) axes += fmt::format("; {} = not seen", mode == ColorMode::none ? kNotSeen : "grey");
  out += (kSteps + 7 + axes.size() <= columns ? "  " : "\n") + axes + "\n";
  if (k > 1) out += fmt::format("each cell is the largest of {} × {} attention weights\n", k, k);
  return out;
}

}  // namespace headlight::draw
