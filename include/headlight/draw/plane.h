// Pictures of a plane: a height at each place as colour, and on it points and paths.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "headlight/core/array.h"
#include "headlight/draw/chart.h"

namespace headlight::draw {

struct Plane {
  Chart chart;    // a series with dots is a cloud of points; one without is a path, with a dot at each point
  Array heights;  // (rows,columns), 0 … 1, over the whole plane; row 0 is the lowest, where y is smallest
};

// height(x, y) in the middle of each of n x n cells between the ends of the axes, which must be given. Throws
// Error without them.
Array heights_over(const Axis& x, const Axis& y, std::size_t n,
                   const std::function<double(double x, double y)>& height);

// Planes side by side, so many in a row, as a standalone SVG picture with one legend: the names of the first
// plane's series. Heights are drawn in bands from blue at 0 over white to orange at 1, so that the edges of
// the bands are the plane's contours; `low` and `high` name the ends of that scale. The same planes give the
// same bytes. Throws Error where svg_chart does, and for heights that are no matrix.
std::string svg_planes(const std::string& title, const std::vector<Plane>& planes, std::size_t columns,
                       const std::string& low, const std::string& high);

}  // namespace headlight::draw
