// Pictures of one head's attention pattern: row = query, column = key, brighter = more.
#pragma once

#include <string>
#include <vector>

#include "headlight/core/array.h"
#include "headlight/report/color.h"

namespace headlight::report {

struct Heatmap {
  Array weights;                     // (n,m), 0 … 1
  std::vector<std::string> queries;  // n labels, one for each row; may be empty
  std::vector<std::string> keys;     // m labels, one for each column; may be empty
  std::string title;
};

// For a terminal: with colour two rows a line, drawn as half blocks; without, one row a line in shades of
// text. Labels of one character stand on both axes. Ends with a legend.
std::string terminal_heatmap(const Heatmap& map, ColorMode mode);

// A standalone SVG picture with title, labelled axes and a legend. The same map gives the same bytes.
std::string svg_heatmap(const Heatmap& map);

}  // namespace headlight::report
