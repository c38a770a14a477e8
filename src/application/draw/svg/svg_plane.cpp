#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "headlight/core/check.h"
#include "headlight/draw/plane.h"
#include "series_style.h"
#include "svg_panel.h"

namespace headlight::draw {
namespace {

constexpr std::size_t kBands = 10;
constexpr double kPlaneWidth = 264, kPlaneHeight = 230, kPlaneGap = 22, kPlaneEdge = 20;

// Pale, so that points and ways stand out.
Color band_color(std::size_t band) {
  constexpr Color kLow{150, 196, 230}, kHigh{247, 184, 130};
  const double t = 2 * (static_cast<double>(band) + 0.5) / kBands - 1;  // -1 … 1
  const Color end = t < 0 ? kLow : kHigh;
  const auto mixed = [t](std::uint8_t x) {
    return static_cast<std::uint8_t>(std::lround(255 + std::abs(t) * (x - 255.0)));
  };
  return {mixed(end.red), mixed(end.green), mixed(end.blue)};
}

// One path for each band; equal neighbours in a row are one rectangle.
std::string bands(const Array& heights, const svg::Box& box) {
  const std::size_t rows = heights.shape()[0], columns = heights.shape()[1];
  const auto band = [&](std::size_t i, std::size_t j) {
    const double h = clamped(static_cast<double>(heights(i, j)));
    return std::min(static_cast<std::size_t>(h * kBands), kBands - 1);
  };
  std::array<std::string, kBands> paths;
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0, end; j < columns; j = end) {
      for (end = j + 1; end < columns && band(i, end) == band(i, j);) ++end;
      paths[band(i, j)] += fmt::format("M{} {}h{}v1h-{}z", j, rows - 1 - i, end - j, end - j);
    }
  std::string out =
      fmt::format("<g transform=\"translate({} {}) scale({:.4f} {:.4f})\" shape-rendering=\"crispEdges\">\n",
                  svg::number(box.left), svg::number(box.top), box.width / static_cast<double>(columns),
                  box.height / static_cast<double>(rows));
  for (std::size_t b = 0; b < kBands; ++b)
    if (!paths[b].empty()) out += fmt::format("<path fill=\"{}\" d=\"{}\"/>\n", hex(band_color(b)), paths[b]);
  return out + "</g>\n";
}

std::string points_or_path(const Series& series, std::size_t number, const Scales& scales,
                           const svg::Box& box) {
  std::string path, points;
  for (std::size_t i = 0; i < series.x.size(); ++i) {
    const double across = scales.x.at(series.x[i]), up = scales.y.at(series.y[i]);
    const std::string x = svg::number(box.left + across * box.width),
                      y = svg::number(box.bottom() - up * box.height);
    path += (i ? " " : "") + x + "," + y;
    if (across >= 0 && across <= 1 && up >= 0 && up <= 1)
      points += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"2.6\"/>\n", x, y);
  }
  if (!series.dots)
    points += fmt::format("<polyline fill=\"none\" stroke-width=\"1.4\" points=\"{}\"/>\n", path);
  const std::string color = hex(series_color(number));
  return fmt::format("<g fill=\"{}\" stroke=\"{}\"{}>\n{}</g>\n", color, series.dots ? "#ffffff" : color,
                     series.dots ? " stroke-width=\"0.6\"" : "", points);
}

// What a path draws outside the box is cut off.
std::string drawn_plane(const Plane& plane, const Scales& scales, const svg::Box& box) {
  check(plane.heights.dimension() == 2 && plane.heights.size() > 0,
        "[planes] expected heights (rows,columns), got {}.", Shape(plane.heights.shape()));
  Chart frame = plane.chart;
  frame.series.clear();
  std::string out = bands(plane.heights, box) + svg::panel(frame, scales, box);
  out += svg::text(box.left, box.top - 9, 15, svg::Anchor::start, plane.chart.title, " font-weight=\"600\"");
  out += fmt::format("<svg x=\"{0}\" y=\"{1}\" width=\"{2}\" height=\"{3}\" viewBox=\"{0} {1} {2} {3}\">\n",
                     svg::number(box.left), svg::number(box.top), svg::number(box.width),
                     svg::number(box.height));
  for (std::size_t i = 0; i < plane.chart.series.size(); ++i)
    out += points_or_path(plane.chart.series[i], i, scales, box);
  return out + "</svg>\n";
}

std::string height_scale(const std::string& low, const std::string& high, double left, double top) {
  constexpr double kStep = 16, kThick = 12;
  std::string out = svg::text(left, top + 11, svg::kTickSize, svg::Anchor::start, low);
  left += svg::text_width(low, svg::kTickSize) + 8;
  for (std::size_t band = 0; band < kBands; ++band, left += kStep)
    out += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>\n",
                       svg::number(left), svg::number(top), kStep, kThick, hex(band_color(band)));
  return out + svg::text(left + 8, top + 11, svg::kTickSize, svg::Anchor::start, high);
}

}  // namespace

Array heights_over(const Axis& x, const Axis& y, std::size_t n,
                   const std::function<double(double x, double y)>& height) {
  check(x.first && x.last && y.first && y.last, "[heights_over] expected axes with both ends given.");
  const auto middle = [n](const Axis& axis, std::size_t i) {
    return *axis.first + (*axis.last - *axis.first) * (static_cast<double>(i) + 0.5) / static_cast<double>(n);
  };
  Array heights = empty_array({n, n});
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) heights(i, j) = static_cast<Real>(height(middle(x, j), middle(y, i)));
  return heights;
}

std::string svg_planes(const std::string& title, const std::vector<Plane>& planes, std::size_t columns,
                       const std::string& low, const std::string& high) {
  check(!planes.empty() && columns > 0, "[planes] there are no planes to draw.");
  columns = std::min(columns, planes.size());
  std::vector<Scales> scales;
  double margin = 0;
  for (const Plane& plane : planes) {
    scales.push_back(scales_of(plane.chart, 4, 4));
    margin = std::max(margin, svg::left_margin(scales.back().y));
  }
  const double step = margin + kPlaneWidth + kPlaneGap, row = 32 + kPlaneHeight + svg::kBottomMargin + 8;
  const double width = 2 * kPlaneEdge + step * static_cast<double>(columns);
  const svg::Legend legend = svg::legend(planes[0].chart, kPlaneEdge, 52, width - 2 * kPlaneEdge);
  const double top = 52 + legend.height + 28;
  const std::size_t rows = (planes.size() + columns - 1) / columns;
  std::string out = svg::open(width, top + row * static_cast<double>(rows), title);
  out += svg::text(kPlaneEdge, 32, svg::kTitleSize, svg::Anchor::start, title, " font-weight=\"600\"");
  out += legend.elements + height_scale(low, high, kPlaneEdge, 52 + legend.height + 6);
  for (std::size_t i = 0; i < planes.size(); ++i) {
    const double left = kPlaneEdge + margin + step * static_cast<double>(i % columns);
    const double y = top + 26 + row * static_cast<double>(i / columns);
    out += drawn_plane(planes[i], scales[i], {left, y, kPlaneWidth, kPlaneHeight});
  }
  return out + svg::kClose;
}

}  // namespace headlight::draw
