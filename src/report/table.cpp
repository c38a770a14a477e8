#include "headlight/report/table.h"

#include <algorithm>
#include <cctype>

#include "headlight/core/check.h"
#include "headlight/core/text.h"
#include "svg.h"

namespace headlight::inline HEADLIGHT_PRECISION::report {
namespace {

void check_rows(const Table& table) {
  for (const auto& row : table.rows)
    check(row.size() == table.head.size(), "[table] a row has {} cells, and the head {}.", row.size(),
          table.head.size());
}

bool is_numeric(const std::string& cell) {
  return cell.empty() || cell[0] == '-' || cell[0] == '+' ||
         std::isdigit(static_cast<unsigned char>(cell[0])) != 0;
}

bool right_aligned(const Table& table, std::size_t column) {
  return std::all_of(table.rows.begin(), table.rows.end(),
                     [&](const auto& row) { return is_numeric(row[column]); });
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

std::string terminal_table(const Table& table) {
  check_rows(table);
  std::vector<std::size_t> widths(table.head.size(), 0);
  std::vector<std::vector<std::string>> lines{table.head};
  lines.insert(lines.end(), table.rows.begin(), table.rows.end());
  for (auto& line : lines)
    for (std::size_t i = 0; i < line.size(); ++i) {
      line[i] = printable(line[i]);
      widths[i] = std::max(widths[i], display_width(line[i]));
    }
  std::string out;
  for (const auto& line : lines) {
    std::string text;
    for (std::size_t i = 0; i < line.size(); ++i) {
      const std::string room(widths[i] - display_width(line[i]), ' ');
      text += (i > 0 ? "  " : "") + (right_aligned(table, i) ? room + line[i] : line[i] + room);
    }
    out += text.substr(0, text.find_last_not_of(' ') + 1) + "\n";
  }
  return out;
}

std::string csv(const Table& table) {
  check_rows(table);
  std::string out = csv_line(table.head);
  for (const auto& row : table.rows) out += csv_line(row);
  return out;
}

std::string html_table(const Table& table) {
  check_rows(table);
  const auto cells = [&](const std::vector<std::string>& texts, const char* tag, const char* attributes) {
    std::string out = "<tr>";
    for (std::size_t i = 0; i < texts.size(); ++i)
      out += fmt::format("<{}{}{}>{}</{}>", tag, attributes,
                         right_aligned(table, i) ? " class=\"number\"" : "", svg::escaped(texts[i]), tag);
    return out + "</tr>\n";
  };
  std::string out = "<table>\n<thead>" + cells(table.head, "th", " scope=\"col\"") + "</thead>\n<tbody>\n";
  for (const auto& row : table.rows) out += cells(row, "td", "");
  return out + "</tbody>\n</table>\n";
}

}  // namespace headlight::inline HEADLIGHT_PRECISION::report
