#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <string>

#include "headlight/core/check.h"
#include "headlight/draw/figure.h"
#include "headlight/system/text.h"
#include "svg_map.h"
#include "svg_panel.h"

namespace headlight::draw {
namespace {

using svg::Anchor;
using svg::Box;

constexpr std::size_t kTitleColumns = 68;
constexpr double kTitleGap = 4;
constexpr double kWidth = 800, kFigureEdge = 16, kPlotHeight = 170, kPlotGap = 24, kRightEdge = 28;
constexpr double kLargestMap = 116, kMapGap = 12, kLeaders = 34;
constexpr const char* kLeader = "stroke=\"#8a8a96\" stroke-width=\"1\"";
constexpr const char* kMark = "stroke=\"#8a8a96\" stroke-width=\"1\" stroke-dasharray=\"2 3\"";

// Beside one chart there is room for so many names of this width; others are listed once, above all charts.
// Wide names are so only where all charts have the same ones.
constexpr std::size_t kNamesBeside = 8;
constexpr double kWidestBeside = 280;

std::size_t named_series(const Chart& chart) {
  return static_cast<std::size_t>(std::count_if(chart.series.begin(), chart.series.end(),
                                                [](const Series& series) { return !series.name.empty(); }));
}

// The chart with the most names.
const Chart& fullest(const Figure& figure) {
  return *std::max_element(figure.charts.begin(), figure.charts.end(),
                           [](const Chart& a, const Chart& b) { return named_series(a) < named_series(b); });
}

// What a screen reader says of it.
std::string name_of(const Figure& figure) {
  std::string charts;
  for (const Chart& chart : figure.charts) charts += (charts.empty() ? "" : "; ") + chart.y.label;
  return figure.title.empty() ? charts : figure.title;
}

// The scale that holds all points of all charts, and the snapshots' places.
Scale common_scale(const Figure& figure) {
  Chart all{"", figure.x, figure.x, {}};
  for (const Chart& chart : figure.charts)
    for (const Series& series : chart.series) all.series.push_back({series.name, series.x, series.x});
  for (const Snapshot& snapshot : figure.strip) all.series.push_back({"strip", {snapshot.x}, {snapshot.x}});
  return scales_of(all).x;
}

// The snapshots in a row over the plot's width, each with a line down to its place on the axis.
struct Strip {
  std::string elements;
  double bottom;
};

Strip strip_of(const Figure& figure, const Scale& x, double top, const Box& plot) {
  const auto count = static_cast<double>(figure.strip.size());
  const double map = std::min(kLargestMap, (plot.width - kMapGap * (count - 1)) / count);
  const double step = count > 1 ? (plot.width - map) / (count - 1) : 0;
  const double maps_top = top + 2 * svg::kTickSize + 14, bottom = maps_top + map;
  Strip strip{svg::text(plot.left, top + svg::kTickSize, svg::kTickSize, Anchor::start, figure.strip_title),
              bottom + kLeaders};
  for (std::size_t i = 0; i < figure.strip.size(); ++i) {
    const Snapshot& snapshot = figure.strip[i];
    check(snapshot.map.weights.dimension() == 2, "[figure] expected weights (n,m), got {}.",
          Shape(snapshot.map.weights.shape()));
    const auto longest =
        std::max<std::size_t>({snapshot.map.weights.shape()[0], snapshot.map.weights.shape()[1], 1});
    const double left = plot.left + static_cast<double>(i) * step, middle = left + map / 2;
    strip.elements += svg::text(middle, maps_top - 5, svg::kTickSize - 1, Anchor::middle, snapshot.map.title);
    strip.elements += svg::map_cells(snapshot.map, left, maps_top, map / static_cast<double>(longest));
    strip.elements +=
        svg::line(middle, bottom + 3, plot.left + x.at(snapshot.x) * plot.width, strip.bottom, kLeader);
  }
  return strip;
}

// The chart with the most series, and the series of the others whose names it lacks: what a legend lists.
Chart all_series(const Figure& figure) {
  Chart all = fullest(figure);
  std::set<std::string> names;
  for (const Series& series : all.series) names.insert(series.name);
  for (const Chart& chart : figure.charts)
    for (std::size_t i = 0; i < chart.series.size(); ++i)
      if (names.insert(chart.series[i].name).second) {
        all.series.push_back(chart.series[i]);
        all.series.back().style = style_of(chart, i);
      }
  return all;
}

bool has_wide_names(const Figure& figure) {
  return std::any_of(figure.charts.begin(), figure.charts.end(),
                     [](const Chart& chart) { return svg::right_margin(chart) > kWidestBeside; });
}

}  // namespace

std::string svg_figure(const Figure& figure) {
  check(!figure.charts.empty(), "[figure] there are no charts to draw.");
  const Scale x = common_scale(figure);
  std::vector<Scales> scales;
  const bool listed_above = named_series(fullest(figure)) > kNamesBeside || has_wide_names(figure);
  double left = 0, right = listed_above ? kRightEdge : 0;
  for (const Chart& chart : figure.charts) {
    scales.push_back({x, scales_of(chart).y});
    left = std::max(left, svg::left_margin(scales.back().y));
    if (!listed_above) right = std::max(right, svg::right_margin(chart));
  }
  Box plot{left, kFigureEdge, kWidth - left - right, kPlotHeight};

  std::string body;
  for (const std::string& line : wrapped(figure.title, kTitleColumns)) {
    body += svg::text(left, plot.top + svg::kTitleSize, svg::kTitleSize, Anchor::start, line,
                      " font-weight=\"600\"");
    plot.top += svg::kTitleSize + kTitleGap;
  }
  if (!figure.title.empty()) plot.top += 14 - kTitleGap;
  if (listed_above) {
    const svg::Legend legend = svg::legend(all_series(figure), left, plot.top, plot.width);
    body += legend.elements;
    plot.top += legend.height + 12;
  }
  if (!figure.strip.empty()) {
    const Strip strip = strip_of(figure, x, plot.top, plot);
    body += strip.elements;
    plot.top = strip.bottom;
  }
  const double marks_top = plot.top;
  std::string charts;
  for (std::size_t i = 0; i < figure.charts.size(); ++i) {
    const Scale& y = scales[i].y;
    if (figure.same_units) plot.height = plot.width * (y.last - y.first) / (x.last - x.first);
    Chart chart = figure.charts[i];
    chart.x.label = figure.x.label;
    charts += svg::panel(chart, scales[i], plot, i + 1 == figure.charts.size());
    if (!listed_above) charts += svg::end_labels(chart, scales[i], plot);
    plot.top = plot.bottom() + kPlotGap;
  }
  const double bottom = plot.top - kPlotGap;
  for (const Snapshot& snapshot : figure.strip) {
    const double at = left + x.at(snapshot.x) * plot.width;
    body += svg::line(at, marks_top, at, bottom, kMark);
  }
  return svg::open(kWidth, bottom + svg::kBottomMargin + 4, name_of(figure)) + body + charts + svg::kClose;
}

}  // namespace headlight::draw
