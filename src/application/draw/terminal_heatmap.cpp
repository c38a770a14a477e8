#include <algorithm>

#include "headlight/core/check.h"
#include "headlight/draw/heatmap.h"
#include "headlight/system/text.h"
#include "terminal_map.h"

namespace headlight::draw {
namespace {

// The labels as they are drawn, where there are `count` of them, each one column wide; else none.
std::vector<std::string> narrow_labels(const std::vector<std::string>& labels, std::size_t count) {
  std::vector<std::string> drawn;
  for (const std::string& label : labels) drawn.push_back(printable_token(label));
  const bool narrow =
      std::all_of(drawn.begin(), drawn.end(), [](const auto& s) { return display_width(s) == 1; });
  if (labels.size() != count || !narrow) drawn.clear();
  return drawn;
}

}  // namespace

std::string terminal_heatmap(const Heatmap& map, ColorMode mode, std::size_t columns) {
  check(map.weights.dimension() == 2, "[heatmap] expected weights (n,m), got {}.",
        Shape(map.weights.shape()));
  const std::size_t n = map.weights.shape()[0], m = map.weights.shape()[1], step = rows_a_line(mode);
  std::vector<std::string> queries = narrow_labels(map.queries, n), keys = narrow_labels(map.keys, m);
  if (step + 1 + m > columns) queries.clear();
  const std::size_t k = pooling_to_fit(m, columns);
  if (k > 1) keys.clear();
  const std::string margin(queries.empty() ? 0 : step + 1, ' ');

  std::string out = map.title.empty() ? "" : printable(map.title) + "\n";
  if (!keys.empty()) {
    out += margin;
    for (const auto& key : keys) out += key;
    out += "\n";
  }
  const auto lines = map_lines(pooled(map, k), mode);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!queries.empty()) {
      for (std::size_t r = i * step; r < (i + 1) * step; ++r) out += r < n ? queries[r] : " ";
      out += " ";
    }
    out += lines[i] + "\n";
  }
  return out + margin + map_legend(mode, k, columns - std::min(columns, margin.size()), map.seen.has_value());
}

}  // namespace headlight::draw
