#include "headlight/core/names.h"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <utility>

namespace headlight {
namespace {

// The letters to insert, to leave out, to replace, or to exchange with their neighbour.
std::size_t edits(const std::string& a, const std::string& b) {
  std::vector<std::size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(before, above), std::swap(above, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row.back();
}

// How many characters at the beginning are the same in both and do not count as part of the name: the dashes
// of a flag, a folder, "train." of a setting.
std::size_t shared_start(const std::string& a, const std::string& b) {
  const auto [differs, _] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  const std::size_t separator = std::string_view(a.begin(), differs).find_last_of("-/.");
  return separator == std::string_view::npos ? 0 : separator + 1;
}

}  // namespace

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + names[i];
  return text;
}

std::string did_you_mean(const std::string& name, const std::vector<std::string>& known) {
  constexpr std::size_t kLongest = 1000;  // the comparison takes the product of both lengths
  if (name.size() > kLongest) return "";
  const auto best = std::min_element(known.begin(), known.end(), [&](const auto& a, const auto& b) {
    return edits(name, a) < edits(name, b);
  });
  if (best == known.end()) return "";
  const std::size_t longest = std::max(name.size(), best->size()) - shared_start(name, *best);
  const std::size_t changes = edits(name, *best);
  // A module's name before or after the right one is no misspelling.
  const bool contains = name.ends_with("." + *best) || best->ends_with("." + name);
  if (contains) return " Did you mean '" + *best + "'?";
  if (changes >= longest || changes > std::max<std::size_t>(1, longest / 3)) return "";
  return " Did you mean '" + *best + "'?";
}

}  // namespace headlight
