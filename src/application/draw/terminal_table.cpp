#include <algorithm>
#include <limits>
#include <utility>

#include "headlight/draw/color.h"
#include "headlight/system/text.h"
#include "table_cells.h"

namespace headlight::draw {
namespace {

constexpr std::size_t kGap = 2;

// A column as it is printed: its cells, the head first.
struct PrintedColumn {
  std::vector<std::string> cells;
  std::size_t width = 0;
  bool right = false;
};

PrintedColumn printed_column(const Table& table, std::size_t column) {
  PrintedColumn printed{{printable(table.head[column])}, 0, right_aligned(table, column)};
  for (const auto& row : table.rows) printed.cells.push_back(printable(row[column]));
  for (const std::string& cell : printed.cells) printed.width = std::max(printed.width, display_width(cell));
  return printed;
}

std::size_t width_of(const std::vector<PrintedColumn>& columns) {
  std::size_t width = 0;
  for (const PrintedColumn& column : columns) width += column.width + (width > 0 ? kGap : 0);
  return width;
}

// How many bytes at the beginning of the text fit into so many columns; one character at least.
std::size_t fitting_bytes(const std::string& text, std::size_t columns) {
  std::size_t end = 0, width = 0;
  while (end < text.size()) {
    const std::size_t next = character_end(text, end);
    width += display_width(text.substr(end, next - end));
    if (width > columns && end > 0) break;
    end = next;
  }
  return end;
}

// Broken at spaces; a longer word after its last "/", "_", "=" or "," that fits.
std::vector<std::string> cell_lines(const std::string& cell, std::size_t columns) {
  if (display_width(cell) <= columns) return {cell};
  std::vector<std::string> lines;
  for (std::string line : wrapped(cell, columns)) {
    while (display_width(line) > columns) {
      std::size_t end = fitting_bytes(line, columns);
      const std::size_t mark = line.find_last_of("/_=,", end - 1);
      if (mark != std::string::npos && mark >= end / 2) end = mark + 1;
      lines.push_back(line.substr(0, end));
      line.erase(0, end);
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

std::string row_text(const std::vector<PrintedColumn>& columns, std::size_t row) {
  std::vector<std::vector<std::string>> cells;
  std::size_t height = 1;
  for (const PrintedColumn& column : columns) {
    cells.push_back(cell_lines(column.cells[row], column.width));
    height = std::max(height, cells.back().size());
  }
  std::string out;
  for (std::size_t i = 0; i < height; ++i) {
    std::string line;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const std::string text = i < cells[c].size() ? cells[c][i] : "";
      const std::string room(columns[c].width - display_width(text), ' ');
      line += (c > 0 ? std::string(kGap, ' ') : "") + (columns[c].right ? room + text : text + room);
    }
    while (line.ends_with(' ')) line.pop_back();
    out += line + "\n";
  }
  return out;
}

std::string block_text(const std::vector<PrintedColumn>& columns) {
  std::string out;
  for (std::size_t row = 0; row < columns.front().cells.size(); ++row) out += row_text(columns, row);
  return out;
}

// "#", 1, 2, …: names the rows where their own names leave no room for numbers.
PrintedColumn row_numbers(std::size_t rows) {
  PrintedColumn numbers{{"#"}, std::to_string(rows).size(), true};
  for (std::size_t i = 1; i <= rows; ++i) numbers.cells.push_back(std::to_string(i));
  return numbers;
}

// The width of a column beside the keys, which take so much. One that must be broken anyway stays beside the
// columns of its block if half of that width is left there.
std::size_t fitted_width(std::size_t width, std::size_t columns, std::size_t keys, std::size_t block) {
  const std::size_t most = std::max<std::size_t>(columns, keys + 1) - keys;
  if (width <= most) return width;
  const std::size_t left = columns > block ? columns - block : 0;
  return left >= (most + 1) / 2 ? left : most;
}

}  // namespace

std::size_t table_columns() { return known_columns().value_or(std::numeric_limits<std::size_t>::max()); }

std::string terminal_table(const Table& table, std::size_t columns) {
  check_rows(table);
  if (table.head.empty()) return "";
  std::vector<PrintedColumn> rest;
  for (std::size_t i = 0; i < table.head.size(); ++i) rest.push_back(printed_column(table, i));
  if (width_of(rest) <= columns) return block_text(rest);
  const auto last_key = rest.begin() + static_cast<std::ptrdiff_t>(std::min(table.keys, rest.size()));
  std::vector<PrintedColumn> keys(rest.begin(), last_key);
  if (width_of(keys) > columns / 2)
    keys = {row_numbers(table.rows.size())};
  else
    rest.erase(rest.begin(), last_key);
  const std::size_t taken = keys.empty() ? 0 : width_of(keys) + kGap;
  std::string out;
  std::vector<PrintedColumn> block = keys;
  for (PrintedColumn& column : rest) {
    column.width = fitted_width(column.width, columns, taken, block.empty() ? 0 : width_of(block) + kGap);
    block.push_back(column);
    if (width_of(block) <= columns || block.size() == keys.size() + 1) continue;
    block.pop_back();
    out += block_text(block) + "\n";
    block = keys;
    block.push_back(column);
  }
  return out + block_text(block);
}

}  // namespace headlight::draw
