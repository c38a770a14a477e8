#include "headlight/train/data.h"

#include <algorithm>
#include <string_view>

#include "headlight/core/check.h"
#include "headlight/core/names.h"
#include "headlight/core/numbers.h"
#include "headlight/system/files.h"

namespace headlight::train {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r";
  const std::size_t first = text.find_first_not_of(kSpace);
  return first == std::string_view::npos ? "" : text.substr(first, text.find_last_not_of(kSpace) + 1 - first);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(trimmed(text.substr(0, end)));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

bool is_number(std::string_view text) {
  try {
    number_from_text<double>(text);
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

std::size_t CsvTable::column(const std::string& name) const {
  const auto at = std::find(names.begin(), names.end(), name);
  if (at == names.end())
    fail("there is no column '{}': expected {}.{}", name, listed(names), did_you_mean(name, names));
  return static_cast<std::size_t>(at - names.begin());
}

CsvTable read_csv(const std::filesystem::path& file, char separator) {
  const std::string text = read_file(file);
  CsvTable table;
  std::vector<Real> numbers;
  std::size_t columns = 0, line = 0;
  for (const std::string_view row : split(text, '\n')) {
    ++line;
    if (row.empty()) continue;
    const std::vector<std::string_view> cells = split(row, separator);
    if (columns == 0) {
      columns = cells.size();
      if (!std::all_of(cells.begin(), cells.end(), is_number)) {
        table.names.assign(cells.begin(), cells.end());
        continue;
      }
    }
    check(cells.size() == columns, "'{}', line {}: expected {} numbers as in the first line, got {}.",
          file.string(), line, columns, cells.size());
    for (std::size_t i = 0; i < columns; ++i) {
      try {
        numbers.push_back(static_cast<Real>(number_from_text<double>(cells[i])));
      } catch (const Error& e) {
        fail("'{}', line {}, column {}: {}.", file.string(), line, i + 1, e.what());
      }
    }
  }
  check(!numbers.empty(), "'{}' has no numbers.", file.string());
  table.numbers = empty_array({numbers.size() / columns, columns});
  std::copy(numbers.begin(), numbers.end(), table.numbers.begin());
  return table;
}

Array rows(const Array& x, const std::vector<std::size_t>& which) {
  check(x.dimension() >= 1, "[rows] a scalar has no rows.");
  Shape shape(x.shape().begin(), x.shape().end());
  const std::size_t all = shape[0], width = x.size() / std::max<std::size_t>(1, all);
  shape[0] = which.size();
  Array chosen = empty_array(shape);
  Real* out = chosen.data();
  for (const std::size_t row : which) {
    check(row < all, "[rows] there is no row {}: the array has {}.", row, all);
    out = std::copy_n(x.data() + row * width, width, out);
  }
  return chosen;
}

}  // namespace headlight::train
