// The cells of a heatmap within a picture.
#pragma once

#include <string>

#include "headlight/draw/heatmap.h"

namespace headlight::draw::svg {

// The map with its upper left corner at (left, top), its cells squares of that size.
std::string map_cells(const Array& weights, double left, double top, double cell);

// The scale of weights, 0 … 1: a bar with the numbers below, 12 + 18 high.
std::string map_legend(double left, double top, double width);

}  // namespace headlight::draw::svg
