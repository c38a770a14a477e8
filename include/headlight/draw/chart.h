// Curves over a common axis, as SVG and as a table.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "headlight/draw/table.h"

namespace headlight::draw {

struct Axis {
  std::string label;
  bool logarithmic = false;  // powers of ten at equal distances; every value must be positive
  std::optional<double> first = {}, last = {};  // ends of the axis; if left out, rounded from the data
};

enum class LineWeight { normal, faint, bold };

struct Series {
  std::string name;          // in the legend; a series without a name is drawn and not listed
  std::vector<double> x, y;  // points, joined in this order
  bool dots = false;         // a dot at each point instead of a line through them
  LineWeight weight = LineWeight::normal;
  std::optional<std::size_t> style = {};  // its colour and dash; if left out, its place among the series
};

struct Chart {
  std::string title;
  Axis x, y;
  std::vector<Series> series;
};

// The style of the series at place `i`: what it says, or `i`.
inline std::size_t style_of(const Chart& chart, std::size_t i) { return chart.series[i].style.value_or(i); }

// A standalone SVG figure with title, labelled axes, ticks at round numbers and a legend. Series differ by
// colour and by dash, so a grey print is readable too. The same chart gives the same bytes. Throws Error for
// a chart without points, series whose x and y differ in length, numbers that are not finite, and numbers
// that are not positive on a logarithmic axis.
std::string svg_chart(const Chart& chart);

// A column for each series, whose x must rise, and a row at up to twelve of the series' x, the first and the
// last among them. Between its points a line is straight; elsewhere a cell is empty.
Table chart_table(const Chart& chart);

}  // namespace headlight::draw
