#include "svg_map.h"

#include <fmt/core.h>

#include <array>
#include <cmath>

#include "svg.h"

namespace headlight::draw::svg {
namespace {

constexpr std::size_t kLevels = 64;  // steps of the colour scale; finer ones cannot be told apart

}  // namespace

// One path for each colour level; the background is the colour of 0.
std::string map_cells(const Array& weights, double left, double top, double cell) {
  std::array<std::string, kLevels + 1> paths;
  for (std::size_t i = 0; i < weights.shape()[0]; ++i)
    for (std::size_t j = 0; j < weights.shape()[1]; ++j) {
      const double w = clamped(static_cast<double>(weights(i, j)));
      const auto level = static_cast<std::size_t>(std::lround(w * kLevels));
      if (level > 0) paths[level] += fmt::format("M{} {}h1v1h-1z", j, i);
    }
  std::string out =
      fmt::format("<g transform=\"translate({:.2f} {:.2f}) scale({:.4f})\" shape-rendering=\"crispEdges\">\n",
                  left, top, cell);
  out += fmt::format("<rect width=\"{}\" height=\"{}\" fill=\"{}\"/>\n", weights.shape()[1],
                     weights.shape()[0], hex(heat_color(0)));
  for (std::size_t level = 1; level <= kLevels; ++level)
    if (!paths[level].empty())
      out += fmt::format("<path fill=\"{}\" d=\"{}\"/>\n",
                         hex(heat_color(static_cast<double>(level) / kLevels)), paths[level]);
  return out + "</g>\n";
}

std::string map_legend(double left, double top, double width) {
  constexpr double kHeight = 12;
  std::string out = "<defs><linearGradient id=\"scale\">\n";
  for (int i = 0; i <= 7; ++i)
    out += fmt::format("<stop offset=\"{:.4f}\" stop-color=\"{}\"/>\n", i / 7.0, hex(heat_color(i / 7.0)));
  out += "</linearGradient></defs>\n";
  out += fmt::format(
      "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.0f}\" height=\"{:.0f}\" fill=\"url(#scale)\"/>\n", left,
      top, width, kHeight);
  out += text(left, top + 28, 13, Anchor::middle, "0");
  out += text(left + width, top + 28, 13, Anchor::middle, "1");
  return out + text(left + width / 2, top + 28, 13, Anchor::middle, "attention weight");
}

}  // namespace headlight::draw::svg
