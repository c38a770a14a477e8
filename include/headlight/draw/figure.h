// Charts one above the other over a common axis, and small heatmaps for points of this axis.
#pragma once

#include <string>
#include <vector>

#include "headlight/draw/chart.h"
#include "headlight/draw/heatmap.h"

namespace headlight::draw {

struct Snapshot {
  double x;     // where on the axis it was taken
  Heatmap map;  // drawn small, with its title and without labels
};

struct Figure {
  std::string title;
  Axis x;                       // of all charts; their own x is ignored
  std::string strip_title;      // the title of the snapshots
  std::vector<Snapshot> strip;  // above the charts, in the order of x; may be empty
  std::vector<Chart> charts;
  bool same_units = false;  // a unit is as long along y as along x; for shapes and angles in a plane
};

// A standalone SVG figure. A line leads from each snapshot to its place on the axis. The same figure gives
// the same bytes. Throws as svg_chart and svg_heatmap.
std::string svg_figure(const Figure& figure);

}  // namespace headlight::draw
