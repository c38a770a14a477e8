// Heatmaps of one head's attention pattern: row = query, column = key, brighter = more, grey = not seen.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "headlight/core/array.h"
#include "headlight/draw/color.h"

namespace headlight::draw {

// Labels are tokens of any characters. They are drawn as text, with visible symbols for spaces and control
// characters.
struct Heatmap {
  Array weights;                     // (n,m), 0 … 1
  std::vector<std::string> queries;  // n labels, one for each row; may be empty
  std::vector<std::string> keys;     // m labels, one for each column; may be empty
  std::string title;
  std::optional<BoolArray> seen = {};  // (n,m): which keys a query may see; absent: all
};

// For a terminal with `columns` columns: with colours two rows per line, drawn as half blocks; without
// colours one row per line in shades of text. Labels of width 1 are on both axes if there is room. A map
// wider than the terminal is reduced: each cell is the largest of k x k weights, and the legend at the end
// says so. Throws Error for weights that are not a matrix.
std::string terminal_heatmap(const Heatmap& map, ColorMode mode, std::size_t columns = terminal_columns());

// A standalone SVG figure with title, labelled axes and a legend. Where the last query spreads its weight so
// that none reaches 0.05, colours go by powers of 10. The same map gives the same bytes. Throws as
// terminal_heatmap, and for `seen` that is not (n,m).
std::string svg_heatmap(const Heatmap& map);

}  // namespace headlight::draw
