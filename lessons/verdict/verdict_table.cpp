#include "verdict/verdict_table.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "headlight/system/text.h"

namespace headlight::grader {
namespace {

// What is shown of a row of things: a window around the one that is marked.
struct Window {
  std::size_t begin, end;

  static Window around(std::size_t mark, std::size_t most, std::size_t all) {
    if (all <= most) return {0, all};
    const std::size_t begin = std::min(mark - std::min(mark, most / 2), all - most);
    return {begin, begin + most};
  }
};

std::string to_the_right(const std::string& text, std::size_t width) {
  const std::size_t own = display_width(text);
  return std::string(width - std::min(width, own), ' ') + text;
}

// "[1,0] " of row 2 in the shape (2,2,3); empty with two axes or fewer.
std::string label_of(std::size_t row, const Shape& shape) {
  if (shape.size() < 3) return "";
  const Shape index = unravel_index(row, Shape(shape.begin(), shape.end() - 1));
  std::string label = "[";
  for (const std::size_t i : index) label += (label.size() > 1 ? "," : "") + std::to_string(i);
  return label + "] ";
}

struct Grid {
  std::size_t rows, columns;
};

Grid grid_of(const Shown& shown) {
  const std::size_t columns = shown.shape.empty() ? 1 : shown.shape.back();
  return {columns == 0 ? 0 : shown.numbers.size() / columns, columns};
}

// The digits of the cells in a window of rows and columns, and how wide the widest is.
struct Cells {
  Window rows, columns;
  std::vector<std::string> texts;
  std::size_t width;
};

// Numbers below this are what rounding leaves of 0, beside the largest one.
double least_shown(const std::vector<double>& numbers) {
  constexpr double kRounding = 1e-14;
  double largest = 0;
  for (const double number : numbers)
    if (std::isfinite(number)) largest = std::max(largest, std::abs(number));
  return kRounding * largest;
}

Cells cells_of(const Shown& shown, const Grid& grid, Window rows, Window columns, int digits) {
  const double least = least_shown(shown.numbers);
  Cells cells{rows, columns, {}, 1};
  for (std::size_t r = rows.begin; r < rows.end; ++r)
    for (std::size_t c = columns.begin; c < columns.end; ++c) {
      const double number = shown.numbers[r * grid.columns + c];
      cells.texts.push_back(std::abs(number) < least ? "0" : in_digits(number, digits));
      cells.width = std::max(cells.width, cells.texts.back().size());
    }
  return cells;
}

// As many columns as fit.
Cells fitting(const Shown& shown, const Grid& grid, const TableLayout& layout, std::size_t mark) {
  const Window rows = Window::around(mark / grid.columns, layout.most_rows, grid.rows);
  const std::size_t label = label_of(rows.begin, shown.shape).size();
  for (std::size_t most = std::min(grid.columns, layout.columns / 2);; --most) {
    const Window columns = Window::around(mark % grid.columns, most, grid.columns);
    Cells cells = cells_of(shown, grid, rows, columns, layout.digits);
    const std::size_t dots = (columns.begin > 0 ? 2 : 0) + (columns.end < grid.columns ? 2 : 0);
    if (most <= 1 || label + dots + most * (cells.width + 1) <= layout.columns) return cells;
  }
}

}  // namespace

std::string in_digits(double number, int digits) {
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return number > 0 ? "∞" : "-∞";
  if (constexpr double kMostWhole = 1e9; std::trunc(number) == number && std::abs(number) < kMostWhole)
    return std::to_string(static_cast<long long>(number));
  return fmt::format("{:.{}g}", number, digits);
}

std::vector<std::string> table(const Shown& shown, const TableLayout& layout) {
  const Grid grid = grid_of(shown);
  if (shown.numbers.empty()) return {"(no numbers)"};
  const std::size_t mark = layout.mark.value_or(0);
  const Cells cells = fitting(shown, grid, layout, mark);
  std::vector<std::string> lines;
  if (cells.rows.begin > 0) lines.emplace_back("…");
  auto text = cells.texts.begin();
  for (std::size_t r = cells.rows.begin; r < cells.rows.end; ++r) {
    std::string line = label_of(r, shown.shape), marks = std::string(line.size(), ' ');
    if (cells.columns.begin > 0) line += "… ", marks += "  ";
    for (std::size_t c = cells.columns.begin; c < cells.columns.end; ++c, ++text) {
      const bool marked = layout.mark && r * grid.columns + c == mark;
      line += " " + to_the_right(*text, cells.width);
      marks += " " + to_the_right(marked ? std::string(display_width(*text), '^') : "", cells.width);
    }
    if (cells.columns.end < grid.columns) line += " …";
    lines.push_back(line);
    if (layout.mark && r == mark / grid.columns)
      lines.push_back(marks.substr(0, marks.find_last_not_of(' ') + 1));
  }
  if (cells.rows.end < grid.rows) lines.emplace_back("…");
  return lines;
}

std::vector<std::string> beside(const std::vector<std::string>& left, const std::vector<std::string>& right,
                                std::size_t at) {
  std::vector<std::string> lines = left;
  lines.resize(std::max(left.size(), right.size()));
  for (std::size_t i = 0; i < right.size(); ++i) {
    const std::size_t own = display_width(lines[i]);
    if (!right[i].empty()) lines[i] += std::string(at - std::min(at, own), ' ') + right[i];
  }
  return lines;
}

}  // namespace headlight::grader
