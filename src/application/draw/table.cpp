#include <algorithm>

#include "draw/svg/svg.h"
#include "headlight/core/ascii.h"
#include "headlight/core/check.h"
#include "table_cells.h"

namespace headlight::draw {
namespace {

bool is_numeric(const std::string& cell) {
  if (cell.starts_with("--")) return false;                                          // a flag
  const std::size_t begin = cell.starts_with('<') || cell.starts_with('>') ? 1 : 0;  // ">99.9 %"
  if (cell.size() == begin) return cell.empty();
  const char first = cell[begin];
  return first == '-' || first == '+' || ascii::is_digit(first);
}

std::string quoted_cell(const std::string& cell) {
  if (cell.find_first_of(",\"\n\r") == std::string::npos) return cell;
  std::string out = "\"";
  for (char c : cell) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + "\"";
}

std::string csv_line(const std::vector<std::string>& cells) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) line += (i > 0 ? "," : "") + quoted_cell(cells[i]);
  return line + "\n";
}

}  // namespace

void check_rows(const Table& table) {
  for (const auto& row : table.rows)
    check(row.size() == table.head.size(), "[table] a row has {} cells, and the head {}.", row.size(),
          table.head.size());
}

bool right_aligned(const Table& table, std::size_t column) {
  return std::all_of(table.rows.begin(), table.rows.end(),
                     [&](const auto& row) { return is_numeric(row[column]); });
}

std::string csv(const Table& table) {
  check_rows(table);
  std::string out = csv_line(table.head);
  for (const auto& row : table.rows) out += csv_line(row);
  return out;
}

std::string html_table(const Table& table) {
  check_rows(table);
  const auto row_of = [&](const std::vector<std::string>& texts, bool head) {
    std::string out = "<tr>";
    for (std::size_t i = 0; i < texts.size(); ++i)
      out += fmt::format("<{0}{1}{2}>{3}</{0}>", head || i == 0 ? "th" : "td",
                         head     ? " scope=\"col\""
                         : i == 0 ? " scope=\"row\""
                                  : "",
                         right_aligned(table, i) ? " class=\"number\"" : "", svg::escaped(texts[i]));
    return out + "</tr>\n";
  };
  std::string out = "<table>\n<thead>" + row_of(table.head, true) + "</thead>\n<tbody>\n";
  for (const auto& row : table.rows) out += row_of(row, false);
  return out + "</tbody>\n</table>\n";
}

}  // namespace headlight::draw
