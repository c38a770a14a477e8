#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "headlight/system/text.h"
#include "signed_scale.h"
#include "terminal_map.h"

namespace headlight::draw {
namespace {

using Numbers = std::vector<std::vector<std::optional<double>>>;

constexpr std::size_t kWidestLabel = 24;

std::string padded_left(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, display_width(text)), ' ') + text;
}

std::size_t widest(const std::vector<std::string>& texts) {
  std::size_t width = 0;
  for (const std::string& text : texts) width = std::max(width, display_width(text));
  return width;
}

std::vector<std::string> drawn_labels(const std::vector<std::string>& labels) {
  std::vector<std::string> drawn;
  for (const std::string& label : labels) drawn.push_back(cut_to(printable_token(label), kWidestLabel));
  return drawn;
}

// Dark text on bright cells, bright text on dark ones.
std::string cell_colors(double part, ColorMode mode) {
  const Color ink = std::abs(part) > 0.6 ? Color{0, 0, 0} : Color{238, 238, 238};
  return background(signed_color(part), mode) + foreground(ink, mode);
}

// Columns first … last-1 of a map with numbers in its cells.
std::string table_part(const SignedMap& map, const std::vector<std::string>& rows,
                       const std::vector<std::string>& columns, std::size_t width, std::size_t first,
                       std::size_t last, ColorMode mode) {
  const double largest = largest_magnitude(map);
  const std::size_t margin = widest(rows);
  std::string out(margin, ' ');
  for (std::size_t j = first; j < last; ++j) out += " " + padded_left(columns[j], width);
  out += "\n";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    out += rows[i] + std::string(margin - display_width(rows[i]), ' ');
    for (std::size_t j = first; j < last; ++j) {
      const auto& value = map.values[i][j];
      const std::string text = padded_left(value ? signed_number(*value, map.decimals) : "·", width);
      out += value && mode != ColorMode::none ? cell_colors(*value / largest, mode) + " " + text + reset(mode)
                                              : " " + text;
    }
    out += "\n";
  }
  return out;
}

std::string with_numbers(const SignedMap& map, ColorMode mode, std::size_t room) {
  const auto rows = drawn_labels(map.rows), columns = drawn_labels(map.columns);
  std::size_t width = widest(columns);
  for (const auto& row : map.values)
    for (const auto& value : row)
      if (value) width = std::max(width, signed_number(*value, map.decimals).size());
  const std::size_t margin = widest(rows), a_cell = width + 1;
  const std::size_t at_once = std::max<std::size_t>(1, (room - std::min(room, margin)) / a_cell);
  std::string out;
  for (std::size_t first = 0; first < columns.size(); first += at_once)
    out += (first > 0 ? "\n" : "") +
           table_part(map, rows, columns, width, first, std::min(first + at_once, columns.size()), mode);
  return out;
}

// The number of largest magnitude of each k x k block.
Numbers strongest_of_blocks(const Numbers& values, std::size_t k) {
  Numbers out((values.size() + k - 1) / k,
              std::vector<std::optional<double>>((values[0].size() + k - 1) / k));
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::size_t j = 0; j < values[i].size(); ++j) {
      auto& kept = out[i / k][j / k];
      if (values[i][j] && (!kept || std::abs(*values[i][j]) > std::abs(*kept))) kept = values[i][j];
    }
  return out;
}

// 1 … 9 above 0, a … i below, "." where the number rounds to nothing.
char level_of(const std::optional<double>& value, double largest) {
  if (!value) return ' ';
  const auto level = static_cast<int>(std::lround(9 * std::abs(*value) / largest));
  if (level == 0) return '.';
  return static_cast<char>(*value > 0 ? '0' + level : 'a' + level - 1);
}

std::string line_of_cells(const Numbers& values, std::size_t row, double largest, ColorMode mode) {
  std::string line, current;
  for (std::size_t j = 0; j < values[row].size(); ++j) {
    if (mode == ColorMode::none) {
      line += level_of(values[row][j], largest);
      continue;
    }
    const auto color = [&](std::size_t i) { return signed_color(values[i][j].value_or(0) / largest); };
    std::string style = foreground(color(row), mode);
    style += row + 1 < values.size() ? background(color(row + 1), mode) : "\x1b[49m";
    if (style != current) line += style;
    current = style;
    line += "▀";
  }
  return line + reset(mode);
}

// Labels of one column each, where there is room for them.
std::vector<std::string> narrow(const std::vector<std::string>& labels) {
  auto drawn = drawn_labels(labels);
  const bool fits =
      std::all_of(drawn.begin(), drawn.end(), [](const auto& s) { return display_width(s) == 1; });
  if (!fits) drawn.clear();
  return drawn;
}

std::string without_numbers(const SignedMap& map, ColorMode mode, std::size_t room) {
  const std::size_t step = rows_a_line(mode),
                    k = pooling_to_fit(map.columns.size(), room - std::min(room, step + 1));
  const Numbers cells = strongest_of_blocks(map.values, k);
  const auto rows = k == 1 ? narrow(map.rows) : std::vector<std::string>();
  const auto columns = k == 1 ? narrow(map.columns) : std::vector<std::string>();
  const std::string margin(rows.empty() ? 0 : step + 1, ' ');
  std::string out = columns.empty() ? "" : margin;
  for (const std::string& column : columns) out += column;
  if (!columns.empty()) out += "\n";
  for (std::size_t i = 0; i < cells.size(); i += step) {
    if (!rows.empty())
      for (std::size_t r = i; r < i + step; ++r) out += r < rows.size() ? rows[r] : " ";
    out += (rows.empty() ? "" : " ") + line_of_cells(cells, i, largest_magnitude(map), mode) + "\n";
  }
  if (mode == ColorMode::none) out += "1 … 9: above 0; a … i: below 0, in steps of a ninth of the largest\n";
  if (k > 1) out += fmt::format("each cell is the strongest of {} × {} numbers\n", k, k);
  return out;
}

}  // namespace

std::string terminal_signed_map(const SignedMap& map, ColorMode mode, std::size_t columns) {
  check_signed_map(map);
  std::string out = (map.title.empty() ? "" : printable(map.title) + "\n") +
                    (map.numbers ? with_numbers(map, mode, columns) : without_numbers(map, mode, columns));
  for (const std::string& line : wrapped(signed_legend(map), std::max<std::size_t>(columns, 20)))
    out += line + "\n";
  return out;
}

}  // namespace headlight::draw
