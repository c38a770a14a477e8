#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "headlight/core/check.h"
#include "headlight/draw/heatmap.h"
#include "headlight/system/text.h"
#include "svg.h"
#include "svg_map.h"

namespace headlight::draw {
namespace {

using svg::Anchor;

constexpr double kMapWidth = 640, kLongestLabel = 90;
constexpr const char* kMono = " font-family=\"ui-monospace, Menlo, Consolas, monospace\"";

// The labels of one axis: of every token, or of every k-th one where cells are small. None if they are too
// long to be read.
struct Labels {
  std::vector<std::string> texts;
  double width = 0;       // of the longest
  std::size_t every = 1;  // token
};

std::size_t labelled_every(double cell) {
  constexpr double kLeast = 7;
  return cell >= kLeast ? 1 : static_cast<std::size_t>(std::ceil(kLeast / cell));
}

Labels labels_of(const std::vector<std::string>& tokens, std::size_t count, double cell, double size) {
  Labels labels;
  labels.every = labelled_every(cell);
  for (const std::string& token : tokens) {
    labels.texts.push_back(printable_token(token));
    labels.width = std::max(labels.width, svg::text_width(labels.texts.back(), size));
  }
  return tokens.size() == count && labels.width <= kLongestLabel ? labels : Labels{};
}

// The layout, in units of the figure.
struct Frame {
  double cell, label_size, left, top, width, height;
  Labels rows, columns;
  bool upwards;  // labels of columns, where they are wider than a column
  double column_height;
};

Frame frame_of(const Heatmap& map) {
  const std::size_t n = map.weights.shape()[0], m = map.weights.shape()[1];
  Frame f{};
  f.cell = kMapWidth / static_cast<double>(std::max<std::size_t>({n, m, 1}));
  f.label_size = std::min(13.0, f.cell * static_cast<double>(labelled_every(f.cell)) * 0.95);
  f.width = f.cell * static_cast<double>(m);
  f.height = f.cell * static_cast<double>(n);
  f.rows = labels_of(map.queries, n, f.cell, f.label_size);
  f.columns = labels_of(map.keys, m, f.cell, f.label_size);
  f.upwards = f.columns.width > f.cell * static_cast<double>(f.columns.every);
  f.column_height = f.upwards ? f.columns.width : 13;
  f.left = f.rows.texts.empty() ? 44 : 52 + std::max(8.0, f.rows.width);
  f.top = f.columns.texts.empty() ? 66 : 71 + f.column_height;
  return f;
}

std::string column_label(const Frame& f, std::size_t j) {
  const double x = f.left + (static_cast<double>(j) + 0.5) * f.cell, y = f.top - 6;
  if (!f.upwards) return svg::text(x, y, f.label_size, Anchor::middle, f.columns.texts[j], kMono);
  const double base = x + f.label_size * 0.35;
  return svg::text(
      base, y, f.label_size, Anchor::start, f.columns.texts[j],
      fmt::format("{} transform=\"rotate(-90 {} {})\"", kMono, svg::number(base), svg::number(y)));
}

std::string axes(const Frame& f) {
  std::string out;
  for (std::size_t j = 0; j < f.columns.texts.size(); j += f.columns.every) out += column_label(f, j);
  for (std::size_t i = 0; i < f.rows.texts.size(); i += f.rows.every)
    out += svg::text(f.left - 6, f.top + (static_cast<double>(i) + 0.5) * f.cell + f.label_size * 0.35,
                     f.label_size, Anchor::end, f.rows.texts[i], kMono);
  out += svg::text(f.left + f.width / 2, f.top - (f.columns.texts.empty() ? 8 : 11 + f.column_height), 14,
                   Anchor::middle,
                   f.columns.texts.empty() || f.columns.every == 1
                       ? "key (attended to) →"
                       : fmt::format("key (attended to), 1 token of {} with its label →", f.columns.every));
  const double beside = f.rows.texts.empty() ? 14 : 20 + std::max(8.0, f.rows.width);
  return out + svg::text_upwards(f.left - beside, f.top + f.height / 2, 14, "← query (attending)");
}

}  // namespace

std::string svg_heatmap(const Heatmap& map) {
  check(map.weights.dimension() == 2, "[heatmap] expected weights (n,m), got {}.",
        Shape(map.weights.shape()));
  const Frame f = frame_of(map);
  const svg::WeightScale scale = svg::fitting_scale(map);
  return svg::open(f.left + std::max(f.width, svg::text_width(map.title, 18)) + 24, f.top + f.height + 72,
                   map.title) +
         svg::text(f.left, 30, 18, Anchor::start, map.title, " font-weight=\"600\"") +
         svg::map_cells(map, f.left, f.top, f.cell, scale) + axes(f) +
         svg::map_legend(f.left, f.top + f.height + 22, 220, {scale, map.seen.has_value()}) + svg::kClose;
}

}  // namespace headlight::draw
