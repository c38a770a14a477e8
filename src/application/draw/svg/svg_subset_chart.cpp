#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

#include "headlight/core/check.h"
#include "headlight/draw/subset_chart.h"
#include "svg.h"

namespace headlight::draw {
namespace {

using svg::Anchor;

constexpr double kColumn = 44, kLeft = 96, kBars = 110, kRow = 20, kPlane = 180, kSize = 13, kMostParts = 16;
constexpr std::size_t kMostSets = 24;
constexpr const char *kHas = "#1b7837", *kHasNot = "#c4cad3", *kAxis = "#5c6675";

void check_chart(const SubsetChart& chart) {
  const std::size_t n = chart.parts.size();
  check(
      n >= 1 && n <= kMostParts && chart.bars.size() == n && chart.values.size() == std::size_t{1} << n,
      "[subset chart] expected 1 to {} parts, a bar for each and a value for each subset, got {} parts, {} bars "
      "and {} values.",
      kMostParts, n, chart.bars.size(), chart.values.size());
  for (const std::uint32_t set : chart.sets)
    check(set < chart.values.size(), "[subset chart] expected sets of {} parts, got the bits {}.", n, set);
  for (const auto* numbers : {&chart.bars, &chart.values})
    for (const double x : *numbers)
      check(std::isfinite(x), "[subset chart] expected finite numbers, got {}.", x);
}

std::string disc(double x, double y, double radius, const char* fill, double opacity = 1) {
  return fmt::format(
      "<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{:.2f}\" fill=\"{}\" fill-opacity=\"{:.2f}\"/>\n", x, y,
      radius, fill, opacity);
}

double column(std::size_t part) { return kLeft + (static_cast<double>(part) + 0.5) * kColumn; }

// Upwards and downwards from 0, with the numbers at their ends.
std::string bars(const SubsetChart& chart, double top) {
  double low = 0, high = 0;
  for (const double x : chart.bars) low = std::min(low, x), high = std::max(high, x);
  const double a_unit = kBars / (high > low ? high - low : 1), zero = top + high * a_unit;
  std::string out;
  for (std::size_t i = 0; i < chart.parts.size(); ++i) {
    const double x = chart.bars[i], length = std::abs(x) * a_unit;
    out += fmt::format("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"26\" height=\"{:.2f}\" fill=\"{}\"/>\n",
                       column(i) - 13, x < 0 ? zero : zero - length, length, x < 0 ? "#762a83" : kHas);
    out += svg::text(column(i), x < 0 ? zero + length + 13 : zero - length - 4, 11, Anchor::middle,
                     svg::number(x));
  }
  const double right = kLeft + kColumn * static_cast<double>(chart.parts.size());
  return out + svg::line(kLeft, zero, right, zero, fmt::format("stroke=\"{}\"", kAxis));
}

std::string set_row(const SubsetChart& chart, std::uint32_t set, double y) {
  std::string out;
  for (std::size_t i = 0; i < chart.parts.size(); ++i) {
    const bool has = (set >> i & 1) != 0;
    out += disc(column(i), y, has ? 7 : 3, has ? kHas : kHasNot);
  }
  const double right = kLeft + kColumn * static_cast<double>(chart.parts.size());
  return out + svg::text(right + 10, y + 4, kSize, Anchor::start, svg::number(chart.values[set]));
}

// A disc for all sets of one size whose values are equal to a hundredth of the range: its area grows with how
// many they are. The sets of the rows above are circled.
std::string plane(const SubsetChart& chart, double top) {
  const auto [low, high] = std::minmax_element(chart.values.begin(), chart.values.end());
  const double range = *high > *low ? *high - *low : 1,
               right = kLeft + kColumn * static_cast<double>(chart.parts.size());
  const double step = (right - kLeft) / static_cast<double>(chart.parts.size() + 1);
  const auto x_of = [&](int size) { return kLeft + (size + 0.5) * step; };
  const auto y_of = [&](double value) { return top + kPlane * (*high - value) / range; };
  std::map<std::pair<int, int>, std::size_t> bins;
  for (std::uint32_t set = 0; set < chart.values.size(); ++set)
    ++bins[{std::popcount(set), static_cast<int>(std::lround(100 * (chart.values[set] - *low) / range))}];
  std::string out;
  for (const double value : {*low, *high}) {
    out += svg::text(kLeft - 8, y_of(value) + 4, kSize, Anchor::end, svg::number(value));
    out += svg::line(kLeft, y_of(value), right, y_of(value), fmt::format("stroke=\"{}\"", kHasNot));
  }
  if (chart.enough) {
    const double y = y_of(*chart.enough);
    out += svg::line(kLeft, y, right, y, fmt::format("stroke=\"{}\" stroke-dasharray=\"5 4\"", kAxis));
    out += svg::text(right + 10, y + 4, kSize, Anchor::start,
                     fmt::format("enough: {}", svg::number(*chart.enough)));
  }
  for (const auto& [bin, count] : bins)
    out += disc(x_of(bin.first), y_of(*low + range * bin.second / 100),
                std::min(9.0, 2.5 * std::sqrt(1 + std::log2(static_cast<double>(count)))), "#2166ac", 0.55);
  for (const std::uint32_t set : chart.sets)
    out += fmt::format(
        "<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"7\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>\n",
        x_of(std::popcount(set)), y_of(chart.values[set]), kHas);
  for (std::size_t size = 0; size <= chart.parts.size(); ++size)
    out += svg::text(x_of(static_cast<int>(size)), top + kPlane + 24, kSize, Anchor::middle,
                     std::to_string(size));
  return out;
}

}  // namespace

std::string svg_subset_chart(const SubsetChart& chart) {
  check_chart(chart);
  const std::size_t shown = std::min(chart.sets.size(), kMostSets);
  const double bars_top = 88, labels = bars_top + kBars + 36, sets_top = labels + 22,
               rows = kRow * static_cast<double>(shown),
               plane_title = sets_top + rows + (shown > 0 ? 44 : 20), plane_top = plane_title + 22,
               bottom = plane_top + kPlane + 60;
  const double width =
      std::max({kLeft + kColumn * static_cast<double>(chart.parts.size()) + 120,
                40 + svg::text_width(chart.title, 18), 40 + svg::text_width(chart.bar_name, kSize)});
  std::string out = svg::open(width, bottom, chart.title) +
                    svg::text(20, 30, 18, Anchor::start, chart.title, " font-weight=\"600\"") +
                    svg::text(20, 58, kSize, Anchor::start, chart.bar_name) + bars(chart, bars_top);
  for (std::size_t i = 0; i < chart.parts.size(); ++i)
    out += svg::text(column(i), labels, 12, Anchor::middle, chart.parts[i], " font-weight=\"600\"");
  if (shown > 0) out += svg::text(kLeft - 8, sets_top + 4, kSize, Anchor::end, "Minimal sets");
  for (std::size_t i = 0; i < shown; ++i)
    out += set_row(chart, chart.sets[i], sets_top + kRow * static_cast<double>(i));
  if (shown < chart.sets.size())
    out += svg::text(kLeft, sets_top + rows, kSize, Anchor::start,
                     fmt::format("… and {} more", chart.sets.size() - shown));
  out += svg::text(20, plane_title, kSize, Anchor::start,
                   fmt::format("All {} sets: {}", chart.values.size(), chart.value_name));
  out += plane(chart, plane_top);
  const double middle = kLeft + kColumn * static_cast<double>(chart.parts.size()) / 2;
  return out + svg::text(middle, bottom - 14, kSize, Anchor::middle, "heads that are kept") + svg::kClose;
}

}  // namespace headlight::draw
