#include "headlight/draw/chart.h"
#include "svg_panel.h"

namespace headlight::draw {

std::string svg_chart(const Chart& chart) {
  constexpr double kWidth = 640, kPlotHeight = 280, kEdge = 14, kRight = 28;
  const Scales scales = scales_of(chart);
  const double left = svg::left_margin(scales.y);
  double top = kEdge;
  std::string heading;
  if (!chart.title.empty()) {
    heading = svg::text(left, top + svg::kTitleSize, svg::kTitleSize, svg::Anchor::start, chart.title,
                        " font-weight=\"600\"");
    top += svg::kTitleSize + 14;
  }
  const svg::Legend legend = svg::legend(chart, left, top, kWidth - left - kRight);
  top += legend.height + 12;
  const svg::Box box{left, top, kWidth - left - kRight, kPlotHeight};
  return svg::open(kWidth, box.bottom() + svg::kBottomMargin + 4, chart.title) + heading + legend.elements +
         svg::panel(chart, scales, box) + svg::kClose;
}

}  // namespace headlight::draw
