#include "svg_map.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "headlight/core/check.h"
#include "svg.h"

namespace headlight::draw::svg {
namespace {

constexpr std::size_t kLevels = 64;  // steps of the colour scale; finer ones cannot be told apart
constexpr double kDecades = 4;       // of the scale by powers of 10, down from 1
constexpr double kFaint = 0.05;      // a weight that an even scale hardly shows

std::size_t level_of(double weight, WeightScale scale) {
  const double w = clamped(weight);
  const double share = scale == WeightScale::even ? w : w > 0 ? 1 + std::log10(w) / kDecades : 0;
  return static_cast<std::size_t>(std::lround(clamped(share) * kLevels));
}

std::string rectangle(double x, double y, double width, double height, const std::string& fill) {
  return fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>\n", number(x),
                     number(y), number(width), number(height), fill);
}

}  // namespace

WeightScale fitting_scale(const Heatmap& map) {
  const std::size_t n = map.weights.shape()[0], m = map.weights.shape()[1];
  if (n == 0 || m == 0) return WeightScale::even;
  const Real* last = map.weights.data() + (n - 1) * m;
  const double largest = static_cast<double>(*std::max_element(last, last + m));
  return largest > 0 && largest < kFaint ? WeightScale::powers : WeightScale::even;
}

// One path for each colour level; the background is the colour of 0.
std::string map_cells(const Heatmap& map, double left, double top, double cell, WeightScale scale) {
  const Array& weights = map.weights;
  check(weights.dimension() == 2, "[heatmap] expected weights (n,m), got {}.", Shape(weights.shape()));
  check(!map.seen || map.seen->shape() == weights.shape(), "[heatmap] expected {} for what is seen, got {}.",
        Shape(weights.shape()), map.seen ? Shape(map.seen->shape()) : Shape());
  std::array<std::string, kLevels + 1> paths;
  std::string unseen;
  for (std::size_t i = 0; i < weights.shape()[0]; ++i)
    for (std::size_t j = 0; j < weights.shape()[1]; ++j) {
      const std::string square = fmt::format("M{} {}h1v1h-1z", j, i);
      const std::size_t level = level_of(static_cast<double>(weights(i, j)), scale);
      if (map.seen && !(*map.seen)(i, j))
        unseen += square;
      else if (level > 0)
        paths[level] += square;
    }
  std::string out =
      fmt::format("<g transform=\"translate({:.2f} {:.2f}) scale({:.4f})\" shape-rendering=\"crispEdges\">\n",
                  left, top, cell);
  out += fmt::format("<rect width=\"{}\" height=\"{}\" fill=\"{}\"/>\n", weights.shape()[1],
                     weights.shape()[0], hex(heat_color(0)));
  if (!unseen.empty())
    out += fmt::format("<path class=\"hidden\" fill=\"{}\" d=\"{}\"/>\n", hex(kUnseen), unseen);
  for (std::size_t level = 1; level <= kLevels; ++level)
    if (!paths[level].empty())
      out += fmt::format("<path fill=\"{}\" d=\"{}\"/>\n",
                         hex(heat_color(static_cast<double>(level) / kLevels)), paths[level]);
  return out + "</g>\n";
}

std::string map_legend(double left, double top, double width, const MapLegend& legend) {
  constexpr double kHeight = 12, kGap = 14;
  std::string out = "<defs><linearGradient id=\"scale\">\n";
  for (int i = 0; i <= 7; ++i)
    out += fmt::format("<stop offset=\"{:.4f}\" stop-color=\"{}\"/>\n", i / 7.0, hex(heat_color(i / 7.0)));
  out += "</linearGradient></defs>\n";
  out += rectangle(left, top, width, kHeight, "url(#scale)");
  const bool powers = legend.scale == WeightScale::powers;
  out += text(left, top + 28, 13, powers ? Anchor::start : Anchor::middle, powers ? "0.0001" : "0");
  out += text(left + width, top + 28, 13, Anchor::middle, "1");
  out += text(left + width / 2, top + 28, 13, Anchor::middle, powers ? "0.01" : "attention weight");
  double right = left + width + kGap;
  if (powers) {
    constexpr const char* kWords = "attention weight";
    out += text(right, top + 11, 13, Anchor::start, kWords);
    right += text_width(kWords, 13) + kGap;
  }
  if (!legend.unseen) return out;
  return out +
         fmt::format(
             "<rect x=\"{0:.2f}\" y=\"{1:.2f}\" width=\"{2:.0f}\" height=\"{2:.0f}\" fill=\"{3}\" "
             "shape-rendering=\"crispEdges\"/>\n",
             right, top, kHeight, hex(kUnseen)) +
         text(right + kHeight + 5, top + 11, 13, Anchor::start, "not seen");
}

}  // namespace headlight::draw::svg
