// The plot of a chart within a figure: grid, ticks, curves, labels of the axes, legend.
#pragma once

#include <string>

#include "headlight/draw/chart.h"
#include "scale.h"
#include "svg.h"

namespace headlight::draw::svg {

inline constexpr double kTickSize = 15, kLabelSize = 16, kTitleSize = 18;

// Room that ticks and label of the y axis need at the left of a plot.
double left_margin(const Scale& y);

// Room that ticks and label of the x axis need below a plot.
inline constexpr double kBottomMargin = 52;

// Grid, axes and curves in the box, with labels to its left; `with_x` adds ticks and label below.
std::string panel(const Chart& chart, const Scales& scales, const Box& box, bool with_x = true);

// Names of the series with a piece of their line, in rows of at most this width. Nothing for a lone series
// without a name.
struct Legend {
  std::string elements;
  double height;
};
Legend legend(const Chart& chart, double left, double top, double width);

// Names of the series to the right of the box, each beside the end of its curve and in its colour, moved
// apart where they would overlap. For few series.
std::string end_labels(const Chart& chart, const Scales& scales, const Box& box);

// The width that these names need.
double right_margin(const Chart& chart);

}  // namespace headlight::draw::svg
