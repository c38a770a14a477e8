// Pictures of one head's attention pattern: row = query, column = key, brighter = more.
#pragma once

#include <string>
#include <vector>

#include "headlight/core/array.h"
#include "headlight/report/color.h"

namespace headlight::inline HEADLIGHT_PRECISION::report {

// Labels are the tokens, whatever they consist of: they are drawn as text, with visible stand-ins for spaces
// and control characters.
struct Heatmap {
  Array weights;                     // (n,m), 0 … 1
  std::vector<std::string> queries;  // n labels, one for each row; may be empty
  std::vector<std::string> keys;     // m labels, one for each column; may be empty
  std::string title;
};

// For a terminal of so many columns: with colour two rows a line, drawn as half blocks; without, one row a
// line in shades of text. Labels of one column stand on both axes where there is room. A map wider than the
// terminal is drawn smaller, each cell the largest of k x k weights. Ends with a legend, which says so.
// Throws Error for weights that are no matrix.
std::string terminal_heatmap(const Heatmap& map, ColorMode mode, std::size_t columns = terminal_columns());

// A standalone SVG picture with title, labelled axes and a legend. The same map gives the same bytes. Throws
// as terminal_heatmap.
std::string svg_heatmap(const Heatmap& map);

}  // namespace headlight::inline HEADLIGHT_PRECISION::report
