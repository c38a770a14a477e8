// The cells of a heatmap within a picture.
#pragma once

#include <string>

#include "headlight/draw/heatmap.h"

namespace headlight::draw::svg {

enum class WeightScale { even, powers };

// By powers of 10 where the last query gives no key a weight that an even scale would show.
WeightScale fitting_scale(const Heatmap& map);

// The map with its upper left corner at (left, top), its cells squares of that size. Throws Error for weights
// that are not a matrix, and for `seen` of another shape.
std::string map_cells(const Heatmap& map, double left, double top, double cell,
                      WeightScale scale = WeightScale::even);

struct MapLegend {
  WeightScale scale = WeightScale::even;
  bool unseen = false;  // whether some map has keys that are not seen
};

// The scale of weights: a bar with the numbers below, 12 + 18 high.
std::string map_legend(double left, double top, double width, const MapLegend& legend);

}  // namespace headlight::draw::svg
