// The cells of heatmaps in a terminal.
#pragma once

#include <string>
#include <vector>

#include "headlight/core/array.h"
#include "headlight/draw/heatmap.h"

namespace headlight::draw {

// The largest weight that is seen of each k x k block, NaN where none is: (n,m) → (⌈n/k⌉,⌈m/k⌉).
Array pooled(const Heatmap& map, std::size_t k);

// The smallest k at which m columns pooled by k fit the room.
std::size_t pooling_to_fit(std::size_t m, std::size_t room);

// Rows of the map that one line of the terminal shows.
std::size_t rows_a_line(ColorMode mode);

// Lines of cells, each as wide as the map. A NaN is drawn as not seen.
std::vector<std::string> map_lines(const Array& weights, ColorMode mode);

// The scale of weights, the mark of what is not seen, if the map hides any, and the names of the axes; the
// map was pooled by k x k blocks.
std::string map_legend(ColorMode mode, std::size_t k, std::size_t columns, bool hides);

}  // namespace headlight::draw
