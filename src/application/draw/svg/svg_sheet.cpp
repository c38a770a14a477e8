#include <fmt/core.h>

#include <algorithm>

#include "headlight/core/check.h"
#include "headlight/draw/sheet.h"
#include "headlight/system/text.h"
#include "svg.h"
#include "svg_map.h"

namespace headlight::draw {
namespace {

constexpr double kMap = 252, kSheetGap = 26, kSheetEdge = 24, kTitleSize = 14, kTitleLine = 18,
                 kNumberSize = 11, kSheetTitle = 18, kSheetLine = 24;

std::vector<std::string> title_lines(const Heatmap& map) {
  return wrapped(printable(map.title), static_cast<std::size_t>(kMap / svg::text_width("x", kTitleSize)));
}

// Every so many rows and columns their number: on the left of a map and below it.
std::string numbers_of(const Array& weights, std::size_t every, double left, double top, double cell) {
  std::string out;
  const auto middle = [&](std::size_t i) { return (static_cast<double>(i) + 0.5) * cell; };
  const std::size_t rows = weights.shape()[0], columns = weights.shape()[1];
  for (std::size_t i = 0; i < rows; i += every)
    out += svg::text(left - 4, top + middle(i) + kNumberSize * 0.35, kNumberSize, svg::Anchor::end,
                     fmt::format("{}", i));
  for (std::size_t j = 0; j < columns; j += every)
    out += svg::text(left + middle(j), top + static_cast<double>(rows) * cell + kNumberSize + 2, kNumberSize,
                     svg::Anchor::middle, fmt::format("{}", j));
  return out;
}

}  // namespace

std::string svg_sheet(const Sheet& sheet) {
  check(!sheet.maps.empty() && sheet.columns > 0, "[sheet] there are no maps to draw.");
  std::size_t lines = 0;
  svg::MapLegend legend{svg::WeightScale::powers};  // unless a map needs the even scale
  for (const Heatmap& map : sheet.maps) {
    check(map.weights.dimension() == 2, "[sheet] expected weights (n,m), got {}.",
          Shape(map.weights.shape()));
    legend.unseen = legend.unseen || map.seen;
    if (svg::fitting_scale(map) == svg::WeightScale::even) legend.scale = svg::WeightScale::even;
    lines = std::max(lines, title_lines(map).size());
  }
  const std::size_t columns = std::min(sheet.columns, sheet.maps.size());
  const std::size_t rows = (sheet.maps.size() + sheet.columns - 1) / sheet.columns;
  const double titles = kTitleLine * static_cast<double>(lines) + 4, row_height = titles + kMap + kSheetGap;
  const double width =
      std::max(2 * kSheetEdge + (kMap + kSheetGap) * static_cast<double>(columns) - kSheetGap, 640.0);
  const auto title =
      wrapped(printable(sheet.title),
              static_cast<std::size_t>((width - 2 * kSheetEdge) / svg::text_width("x", kSheetTitle)));
  const double top =
      sheet.title.empty() ? kSheetEdge / 2 : 30 + kSheetLine * static_cast<double>(title.size());
  const double legend_top = top + row_height * static_cast<double>(rows);

  std::string out = svg::open(width, legend_top + 88, sheet.title);
  for (std::size_t line = 0; line < title.size() && !sheet.title.empty(); ++line)
    out += svg::text(kSheetEdge, 34 + kSheetLine * static_cast<double>(line), kSheetTitle, svg::Anchor::start,
                     title[line], " font-weight=\"600\"");
  for (std::size_t i = 0; i < sheet.maps.size(); ++i) {
    const Heatmap& map = sheet.maps[i];
    const double left = kSheetEdge + static_cast<double>(i % sheet.columns) * (kMap + kSheetGap);
    const double y = top + static_cast<double>(i / sheet.columns) * row_height;
    const auto texts = title_lines(map);
    for (std::size_t line = 0; line < texts.size(); ++line)
      out += svg::text(left, y + kTitleLine * static_cast<double>(lines - texts.size() + line + 1) - 4,
                       kTitleSize, svg::Anchor::start, texts[line]);
    const auto longest = std::max<std::size_t>({map.weights.shape()[0], map.weights.shape()[1], 1});
    const double cell = kMap / static_cast<double>(longest);
    out += svg::map_cells(map, left, y + titles, cell, legend.scale);
    if (sheet.numbered > 0) out += numbers_of(map.weights, sheet.numbered, left, y + titles, cell);
  }
  return out + svg::map_legend(kSheetEdge, legend_top + 4, 220, legend) +
         svg::text(kSheetEdge, legend_top + 56, 14, svg::Anchor::start,
                   "row: query (attending), from the top") +
         svg::text(kSheetEdge, legend_top + 74, 14, svg::Anchor::start,
                   "column: key (attended to), from the left") +
         svg::kClose;
}

}  // namespace headlight::draw
