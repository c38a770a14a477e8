// The cells of heatmaps in a terminal.
#pragma once

#include <string>
#include <vector>

#include "headlight/core/array.h"
#include "headlight/draw/color.h"

namespace headlight::draw {

// The largest weight of each k x k block: (n,m) → (⌈n/k⌉,⌈m/k⌉).
Array pooled(const Array& weights, std::size_t k);

// The smallest k at which m columns pooled by k fit the room.
std::size_t pooling_to_fit(std::size_t m, std::size_t room);

// Rows of the map that one line of the terminal shows.
std::size_t rows_a_line(ColorMode mode);

// Lines of cells, each as wide as the map.
std::vector<std::string> map_lines(const Array& weights, ColorMode mode);

// The scale of weights and the names of the axes; the map was pooled by k x k blocks.
std::string map_legend(ColorMode mode, std::size_t k, std::size_t columns);

}  // namespace headlight::draw
