// The scale of an axis, and its ticks.
#pragma once

#include <string>
#include <vector>

#include "headlight/draw/chart.h"

namespace headlight::draw {

struct Tick {
  double value;
  std::string label;
};

struct Scale {
  double first, last;
  bool logarithmic;
  std::vector<Tick> ticks;

  // 0 at the first end, 1 at the last; beyond for numbers beyond.
  double at(double value) const;
};

struct Scales {
  Scale x, y;
};

// The scales of a chart, with about the given number of ticks at most. Throws Error as svg_chart does.
Scales scales_of(const Chart& chart, int x_ticks = 7, int y_ticks = 5);

}  // namespace headlight::draw
