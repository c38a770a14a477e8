// Many small heatmaps side by side: all heads of a model, or one head along training.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "headlight/draw/heatmap.h"

namespace headlight::draw {

struct Sheet {
  std::string title;
  std::vector<Heatmap> maps;  // row by row; drawn with their titles and without labels
  std::size_t columns;        // maps in a row
  std::size_t numbered = 0;   // in the SVG, every so many rows and columns have their number; 0: none
};

// For a terminal with `columns` columns. The maps are reduced to fit; if they would become unreadable, a row
// has fewer of them. Throws Error for a sheet without maps or columns.
std::string terminal_sheet(const Sheet& sheet, ColorMode mode, std::size_t columns = terminal_columns());

// A standalone SVG figure with one legend for all maps. Throws as terminal_sheet.
std::string svg_sheet(const Sheet& sheet);

}  // namespace headlight::draw
