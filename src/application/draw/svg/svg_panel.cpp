#include "svg_panel.h"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "headlight/system/text.h"
#include "series_style.h"

namespace headlight::draw::svg {
namespace {

constexpr const char* kGrid = "stroke=\"#e3e3e8\" stroke-width=\"1\"";
constexpr const char* kAxis = "stroke=\"#6b6b78\" stroke-width=\"1.2\"";

std::string stroke(std::size_t series, LineWeight weight) {
  const bool faint = weight == LineWeight::faint;
  std::string out = fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-linejoin=\"round\"",
                                hex(series_color(series)),
                                faint                        ? "1"
                                : weight == LineWeight::bold ? "3.2"
                                                             : "2.2");
  if (faint) return out + " stroke-opacity=\"0.45\"";
  if (*series_dashes(series) != '\0') out += fmt::format(" stroke-dasharray=\"{}\"", series_dashes(series));
  return out;
}

std::string dot(double x, double y, std::size_t series, double radius) {
  return fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{:.1f}\" fill=\"{}\"/>\n", number(x), number(y), radius,
                     hex(series_color(series)));
}

// A single point would be no line: it gets a dot.
std::string curve(const Series& series, const Scales& scales, const Box& box, std::size_t number_of) {
  std::string points, dots;
  for (std::size_t i = 0; i < series.x.size(); ++i) {
    const double x = box.left + scales.x.at(series.x[i]) * box.width;
    const double y = box.bottom() - scales.y.at(series.y[i]) * box.height;
    points += (i ? " " : "") + number(x) + "," + number(y);
    dots += dot(x, y, number_of, series.dots ? 5 : 3.5);
  }
  if (series.dots || series.x.size() == 1) return dots;
  return fmt::format("<polyline {} points=\"{}\"/>\n", stroke(number_of, series.weight), points);
}

// A nested picture cuts off what an axis with given ends leaves out; half a line's width may stand over.
std::string curves(const Chart& chart, const Scales& scales, const Box& box) {
  constexpr double kOver = 4;
  const double left = box.left - kOver, top = box.top - kOver, width = box.width + 2 * kOver,
               height = box.height + 2 * kOver;
  std::string out =
      fmt::format("<svg x=\"{0}\" y=\"{1}\" width=\"{2}\" height=\"{3}\" viewBox=\"{0} {1} {2} {3}\">\n",
                  number(left), number(top), number(width), number(height));
  for (std::size_t i = 0; i < chart.series.size(); ++i)
    if (!chart.series[i].x.empty()) out += curve(chart.series[i], scales, box, style_of(chart, i));
  return out + "</svg>\n";
}

// The width of a name that has more wide letters than narrow ones, of which text_width() says too little.
double letters_width(std::string_view name) {
  double em = 0;
  for (const char letter : name) {
    if (std::string_view("MW@%").find(letter) != std::string_view::npos) em += 0.38;
    if (std::string_view("mw=+").find(letter) != std::string_view::npos) em += 0.25;
    if (std::string_view("Iijlrtf.,:;'() ").find(letter) != std::string_view::npos) em -= 0.25;
  }
  return text_width(name, kTickSize) + std::max(em, 0.0) * kTickSize;
}

}  // namespace

double left_margin(const Scale& y) {
  double widest = 0;
  for (const Tick& tick : y.ticks) widest = std::max(widest, text_width(tick.label, kTickSize));
  return widest + 8 + kLabelSize + 16;
}

std::string panel(const Chart& chart, const Scales& scales, const Box& box, bool with_x) {
  std::string out;
  for (const Tick& tick : scales.y.ticks) {
    const double y = box.bottom() - scales.y.at(tick.value) * box.height;
    out += line(box.left, y, box.right(), y, kGrid);
    out += text(box.left - 8, y + kTickSize * 0.35, kTickSize, Anchor::end, tick.label);
  }
  for (const Tick& tick : scales.x.ticks) {
    const double x = box.left + scales.x.at(tick.value) * box.width;
    out += line(x, box.top, x, box.bottom(), kGrid);
    if (!with_x) continue;
    out += line(x, box.bottom(), x, box.bottom() + 5, kAxis);
    out += text(x, box.bottom() + 7 + kTickSize, kTickSize, Anchor::middle, tick.label);
  }
  out += line(box.left, box.bottom(), box.right(), box.bottom(), kAxis);
  out += line(box.left, box.top, box.left, box.bottom(), kAxis);
  out += curves(chart, scales, box);
  if (with_x)
    out += text(box.left + box.width / 2, box.bottom() + 44, kLabelSize, Anchor::middle, chart.x.label);
  return out + text_upwards(box.left - left_margin(scales.y) + kLabelSize + 2, box.top + box.height / 2,
                            kLabelSize, chart.y.label);
}

Legend legend(const Chart& chart, double left, double top, double width) {
  constexpr double kSample = 32, kGap = 7, kBetween = 22, kRow = 22;
  Legend result{"", 0};
  if (chart.series.size() == 1 && chart.series[0].name.empty()) return result;
  double x = left, y = top + kRow / 2;
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    if (chart.series[i].name.empty()) continue;
    const double letter = 1.1 * text_width("n", kTickSize);  // of a name with more wide letters than most
    const auto columns = static_cast<std::size_t>((width - kSample - kGap) / letter);
    const std::string name = cut_in_middle(chart.series[i].name, columns);
    const std::size_t style = style_of(chart, i);
    const double entry = kSample + kGap + text_width(name, kTickSize);
    if (x > left && x + entry > left + width) {
      x = left;
      y += kRow;
    }
    result.elements += chart.series[i].dots
                           ? dot(x + kSample / 2, y, style, 5)
                           : line(x, y, x + kSample, y, stroke(style, chart.series[i].weight));
    result.elements += text(x + kSample + kGap, y + kTickSize * 0.35, kTickSize, Anchor::start, name);
    x += entry + kBetween;
  }
  result.height = y + kRow / 2 - top;
  return result;
}

std::string end_labels(const Chart& chart, const Scales& scales, const Box& box) {
  constexpr double kDistance = kTickSize + 3;
  std::vector<std::pair<double, std::size_t>> places;  // y of each label, and whose it is
  for (std::size_t i = 0; i < chart.series.size(); ++i)
    if (!chart.series[i].y.empty() && !chart.series[i].name.empty())
      places.emplace_back(box.bottom() - scales.y.at(chart.series[i].y.back()) * box.height, i);
  std::stable_sort(places.begin(), places.end());
  // Down from the uppermost; then up again from the bottom of the box.
  for (std::size_t i = 1; i < places.size(); ++i)
    places[i].first = std::max(places[i].first, places[i - 1].first + kDistance);
  double lowest = box.bottom();
  for (auto place = places.rbegin(); place != places.rend(); ++place) {
    place->first = std::min(place->first, lowest);
    lowest = place->first - kDistance;
  }
  std::string out;
  for (const auto& [y, i] : places)
    out += text(box.right() + 8, y + kTickSize * 0.35, kTickSize, Anchor::start, chart.series[i].name,
                fmt::format(" fill=\"{}\"", hex(series_text_color(style_of(chart, i)))));
  return out;
}

double right_margin(const Chart& chart) {
  double widest = 34;
  for (const Series& series : chart.series)
    widest = std::max({widest, text_width(series.name, kTickSize) + 12, letters_width(series.name) + 8});
  return widest;
}

}  // namespace headlight::draw::svg
