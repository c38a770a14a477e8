#include "headlight/studies/study.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "headlight/core/check.h"
#include "headlight/system/json_output.h"
#include "headlight/system/text.h"

namespace headlight::studies {
namespace {

constexpr std::size_t kLargestRows = 20;

void check_study(const Study& study) {
  check(!study.tables.empty(), "[study] expected a table at least, got none.");
  for (const StudyTable& table : study.tables)
    for (const auto& row : table.rows)
      check(row.size() == table.columns.size(),
            "[study] a row of '{}' has {} cells, and the table {} columns.", table.key, row.size(),
            table.columns.size());
  for (const StudyTable& table : study.tables)
    for (const auto& row : table.rows)
      for (std::size_t c = 0; c < row.size(); ++c)
        if (const auto* number = std::get_if<double>(&row[c]))
          check(std::isfinite(*number),
                "'{}' of the table '{}' is not finite: the model's parameters are too large.",
                table.columns[c].key, table.key);
}

// "-0.012", "+3", "-" for nothing; a number that rounds to 0 has no sign.
std::string cell_text(const StudyCell& cell, const StudyColumn& column) {
  if (std::holds_alternative<std::monostate>(cell)) return "-";
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) return std::to_string(*whole);
  const double value = std::get<double>(cell);
  std::string text = column.sign ? fmt::format("{:+.{}f}", value, column.decimals)
                                 : fmt::format("{:.{}f}", value, column.decimals);
  const bool is_zero = text.find_first_of("123456789") == std::string::npos;
  if (is_zero && (text[0] == '-' || text[0] == '+')) text.erase(0, 1);
  return text;
}

std::string csv_cell(const StudyCell& cell, const std::string& key) {
  if (std::holds_alternative<std::monostate>(cell)) return "";
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) return std::to_string(*whole);
  return fmt::format("{}", finite(std::get<double>(cell), key.c_str()));
}

ordered_json json_cell(const StudyCell& cell, const std::string& key) {
  if (std::holds_alternative<std::monostate>(cell)) return {};
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) return *whole;
  return finite(std::get<double>(cell), key.c_str());
}

std::string lines_of(const std::vector<std::string>& sentences, std::size_t columns) {
  std::string out;
  for (const std::string& sentence : sentences)
    for (const std::string& line : wrapped(printable(sentence), columns)) out += line + "\n";
  return out;
}

// Of the numbers that the terminal shows.
double largest_of(const StudyTable& table, std::size_t row) {
  double largest = 0;
  for (std::size_t c = 0; c < table.columns.size(); ++c)
    if (const auto* number = std::get_if<double>(&table.rows[row][c]); number && table.columns[c].shown)
      largest = std::max(largest, std::abs(*number));
  return largest;
}

std::string terminal_rows(const StudyTable& table) {
  const draw::Table shown = shown_table(table);
  std::string out = draw::terminal_table(shown);
  if (shown.rows.size() < table.rows.size())
    out += fmt::format("… and {} more, which --json has\n", table.rows.size() - shown.rows.size());
  return out;
}

}  // namespace

draw::Table shown_table(const StudyTable& table) {
  draw::Table shown;
  for (const StudyColumn& column : table.columns)
    if (column.shown) shown.head.push_back(column.head);
  const std::size_t most = table.largest_first ? kLargestRows : table.most_rows;
  const std::size_t count = most == 0 ? table.rows.size() : std::min(most, table.rows.size());
  std::vector<std::size_t> order(table.rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (table.largest_first)
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return largest_of(table, a) > largest_of(table, b);
    });
  for (std::size_t i = 0; i < count; ++i) {
    auto& row = shown.rows.emplace_back();
    for (std::size_t c = 0; c < table.columns.size(); ++c)
      if (table.columns[c].shown) row.push_back(cell_text(table.rows[order[i]][c], table.columns[c]));
  }
  return shown;
}

std::string terminal_study(const Study& study, std::size_t columns) {
  check_study(study);
  const std::size_t width = std::clamp<std::size_t>(columns, 40, 100);
  std::string out = lines_of(study.sentences, width);
  for (const StudyTable& table : study.tables) {
    out += "\n" + lines_of({table.title}, width) + "\n" + terminal_rows(table);
    if (!table.sentences.empty()) out += "\n" + lines_of(table.sentences, width);
  }
  return out;
}

std::string study_json(const Study& study) {
  check_study(study);
  ordered_json json = {{"study", study.key}};
  for (const auto& [key, value] : study.facts) json[key] = json_cell(value, key);
  ordered_json sentences = study.sentences;
  for (const StudyTable& table : study.tables)
    for (const std::string& sentence : table.sentences) sentences.push_back(sentence);
  json["sentences"] = std::move(sentences);
  for (const StudyTable& table : study.tables) {
    ordered_json rows = ordered_json::array();
    for (const auto& row : table.rows) {
      ordered_json& entry = rows.emplace_back(ordered_json::object());
      for (std::size_t c = 0; c < row.size(); ++c)
        entry[table.columns[c].key] = json_cell(row[c], table.columns[c].key);
    }
    json[table.key] = std::move(rows);
  }
  return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";  // of a name
}

std::string study_csv(const Study& study) {
  check_study(study);
  const StudyTable& table = study.tables.front();
  draw::Table cells;
  for (const StudyColumn& column : table.columns) cells.head.push_back(column.key);
  for (const auto& row : table.rows) {
    auto& line = cells.rows.emplace_back();
    for (std::size_t c = 0; c < row.size(); ++c) line.push_back(csv_cell(row[c], table.columns[c].key));
  }
  return draw::csv(cells);
}

std::string study_svg(const Study& study) {
  if (const auto* map = std::get_if<draw::SignedMap>(&study.picture)) return draw::svg_signed_map(*map);
  if (const auto* chart = std::get_if<draw::SubsetChart>(&study.picture))
    return draw::svg_subset_chart(*chart);
  if (const auto* chart = std::get_if<draw::Chart>(&study.picture)) return draw::svg_chart(*chart);
  const auto* bars = std::get_if<draw::Bars>(&study.picture);
  check(bars != nullptr, "there is no picture of these numbers. Hint: --csv or --json.");
  return draw::svg_bars(*bars);
}

}  // namespace headlight::studies
