#include "headlight/train/data.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string_view>

#include "headlight/core/check.h"
#include "headlight/core/names.h"
#include "headlight/core/numbers.h"
#include "headlight/system/file_error.h"
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

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Throws Error for what is no number, or one that no Real holds.
Real number_in(std::string_view cell) {
  const auto number = number_from_text<double>(cell);
  const auto held = static_cast<Real>(number);
  check(std::isnormal(held) || number == 0, "expected 0, or a number of size {:.0e} to {:.0e}, got '{}'",
        std::numeric_limits<Real>::min(), std::numeric_limits<Real>::max(), cell);
  return held;
}

// Whether no cell stands for a number, also not with a slip, as "+1", "1e400" and "2..0" do. Cells of all
// lines may be empty or stand for a missing number, so a line of names has one that does neither.
bool is_row_of_names(const std::vector<std::string_view>& cells) {
  static const std::set<std::string_view> kMissing{"", "NA", "N/A", "nan", "NaN", "null", "inf", "-inf"};
  const auto is_name = [](std::string_view cell) { return !kMissing.contains(cell); };
  const auto is_like_a_number = [](std::string_view cell) {
    return cell.find_first_not_of("0123456789+-.eE") == std::string_view::npos &&
           cell.find_first_of("0123456789") != std::string_view::npos;
  };
  return std::any_of(cells.begin(), cells.end(), is_name) &&
         std::none_of(cells.begin(), cells.end(), is_like_a_number);
}

}  // namespace

std::size_t CsvTable::column(const std::string& name) const {
  const auto at = std::find(names.begin(), names.end(), name);
  if (at == names.end())
    fail("there is no column '{}': expected {}.{}", name, listed(names), did_you_mean(name, names));
  return static_cast<std::size_t>(at - names.begin());
}

CsvTable read_csv(const std::filesystem::path& file, char separator) {
  const std::string bytes = read_file(file);
  std::string_view text = bytes;
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  CsvTable table;
  std::vector<Real> numbers;
  std::size_t columns = 0, line = 0;
  for (const std::string_view row : split(text, '\n')) {
    ++line;
    if (row.empty()) continue;
    const std::vector<std::string_view> cells = split(row, separator);
    const bool first = columns == 0;
    if (first) {
      columns = cells.size();
      if (is_row_of_names(cells)) {
        table.names.assign(cells.begin(), cells.end());
        continue;
      }
    }
    check_file(cells.size() == columns, "'{}', line {}: expected {} numbers as in the first line, got {}.",
               file.string(), line, columns, cells.size());
    for (std::size_t i = 0; i < columns; ++i) {
      try {
        numbers.push_back(number_in(cells[i]));
      } catch (const Error& e) {
        fail_file("'{}', line {}, column {}: {}.{}", file.string(), line, i + 1, e.what(),
                  first ? " Hint: in a line of names no cell is a number." : "");
      }
    }
  }
  check_file(!numbers.empty(), "'{}' has no numbers.", file.string());
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
