#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "headlight/core/check.h"
#include "headlight/report/heatmap.h"

namespace headlight::report {
namespace {

constexpr std::array<const char*, 10> kShades{" ", ".", ":", "-", "=", "+", "*", "#", "%", "@"};

const char* shade(double weight) {
  const auto level = static_cast<std::size_t>(std::lround(clamped(weight) * (kShades.size() - 1)));
  return kShades[level];
}

bool short_labels(const std::vector<std::string>& labels) {
  return !labels.empty() &&
         std::all_of(labels.begin(), labels.end(), [](const auto& s) { return s.size() == 1; });
}

double weight(const Heatmap& map, std::size_t row, std::size_t column) {
  return static_cast<double>(map.weights(row, column));
}

// Two rows in one line of upper half blocks: the foreground is the upper row, the background the lower one.
std::string colored_line(const Heatmap& map, std::size_t row, ColorMode mode) {
  const std::size_t n = map.weights.shape()[0], m = map.weights.shape()[1];
  std::string line;
  std::string current;
  for (std::size_t j = 0; j < m; ++j) {
    std::string style = foreground(heat_color(weight(map, row, j), mode), mode);
    style += row + 1 < n ? background(heat_color(weight(map, row + 1, j), mode), mode) : "\x1b[49m";
    if (style != current) line += style;
    current = style;
    line += "▀";
  }
  return line + reset(mode);
}

std::string plain_line(const Heatmap& map, std::size_t row) {
  std::string line;
  for (std::size_t j = 0; j < map.weights.shape()[1]; ++j) line += shade(weight(map, row, j));
  return line;
}

std::string legend(ColorMode mode) {
  std::string bar;
  constexpr int kSteps = 20;
  for (int i = 0; i <= kSteps; ++i) {
    const double value = static_cast<double>(i) / kSteps;
    bar += mode == ColorMode::none ? shade(value) : foreground(heat_color(value, mode), mode) + "█";
  }
  bar += reset(mode);
  return fmt::format("0 {} 1  attention; row = query, column = key\n", bar);
}

}  // namespace

std::string terminal_heatmap(const Heatmap& map, ColorMode mode) {
  check(map.weights.dimension() == 2, "[heatmap] expected weights (n,m), got {}.",
        Shape(map.weights.shape()));
  const std::size_t n = map.weights.shape()[0];
  const std::size_t rows_a_line = mode == ColorMode::none ? 1 : 2;
  const bool label_rows = map.queries.size() == n && short_labels(map.queries);
  const bool label_columns = map.keys.size() == map.weights.shape()[1] && short_labels(map.keys);
  const std::string margin(label_rows ? rows_a_line + 1 : 0, ' ');

  std::string out = map.title.empty() ? "" : map.title + "\n";
  if (label_columns) {
    out += margin;
    for (const auto& key : map.keys) out += key;
    out += "\n";
  }
  for (std::size_t i = 0; i < n; i += rows_a_line) {
    if (label_rows) {
      for (std::size_t r = i; r < i + rows_a_line; ++r) out += r < n ? map.queries[r] : " ";
      out += " ";
    }
    out += (mode == ColorMode::none ? plain_line(map, i) : colored_line(map, i, mode)) + "\n";
  }
  return out + margin + legend(mode);
}

}  // namespace headlight::report
