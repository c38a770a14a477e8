#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "headlight/core/check.h"
#include "headlight/report/heatmap.h"

namespace headlight::report {
namespace {

constexpr std::size_t kLevels = 64;  // steps of the colour scale; finer ones cannot be told apart
constexpr double kMapWidth = 640;

std::string escaped(const std::string& text) {
  std::string out;
  for (char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return out;
}

// Where everything stands, in units of the picture.
struct Frame {
  double cell, left, top, width, height;
  bool label_rows, label_columns;
  double total_width() const { return left + width + 24; }
  double total_height() const { return top + height + 72; }
};

// Labels are drawn where they are few and short enough to be read.
bool fits(const std::vector<std::string>& labels, std::size_t count, double cell) {
  return labels.size() == count && cell >= 7 && std::all_of(labels.begin(), labels.end(), [&](const auto& s) {
           return double(s.size()) * 6 <= cell + 8;
         });
}

Frame frame_of(const Heatmap& map) {
  const std::size_t n = map.weights.shape()[0], m = map.weights.shape()[1];
  Frame f{};
  f.cell = kMapWidth / static_cast<double>(std::max<std::size_t>({n, m, 1}));
  f.width = f.cell * static_cast<double>(m);
  f.height = f.cell * static_cast<double>(n);
  f.label_rows = fits(map.queries, n, f.cell);
  f.label_columns = fits(map.keys, m, f.cell);
  f.left = f.label_rows ? 60 : 44;
  f.top = f.label_columns ? 84 : 66;
  return f;
}

// One path for each colour level; the background is the colour of 0.
std::string cells(const Heatmap& map, const Frame& f) {
  std::array<std::string, kLevels + 1> paths;
  for (std::size_t i = 0; i < map.weights.shape()[0]; ++i)
    for (std::size_t j = 0; j < map.weights.shape()[1]; ++j) {
      const double w = clamped(static_cast<double>(map.weights(i, j)));
      const auto level = static_cast<std::size_t>(std::lround(w * kLevels));
      if (level > 0) paths[level] += fmt::format("M{} {}h1v1h-1z", j, i);
    }
  std::string out =
      fmt::format("<g transform=\"translate({:.2f} {:.2f}) scale({:.4f})\" shape-rendering=\"crispEdges\">\n",
                  f.left, f.top, f.cell);
  out += fmt::format("<rect width=\"{}\" height=\"{}\" fill=\"{}\"/>\n", map.weights.shape()[1],
                     map.weights.shape()[0], hex(heat_color(0)));
  for (std::size_t level = 1; level <= kLevels; ++level)
    if (!paths[level].empty())
      out += fmt::format("<path fill=\"{}\" d=\"{}\"/>\n",
                         hex(heat_color(static_cast<double>(level) / kLevels)), paths[level]);
  return out + "</g>\n";
}

std::string text(double x, double y, double size, const char* anchor, const std::string& content,
                 const std::string& more = "") {
  return fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" font-size=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n",
                     x, y, size, anchor, more, escaped(content));
}

std::string axes(const Heatmap& map, const Frame& f) {
  const double size = std::min(13.0, f.cell * 0.95);
  const std::string mono = " font-family=\"ui-monospace, Menlo, Consolas, monospace\"";
  std::string out;
  if (f.label_columns)
    for (std::size_t j = 0; j < map.keys.size(); ++j)
      out += text(f.left + (static_cast<double>(j) + 0.5) * f.cell, f.top - 6, size, "middle", map.keys[j],
                  mono);
  if (f.label_rows)
    for (std::size_t i = 0; i < map.queries.size(); ++i)
      out += text(f.left - 6, f.top + (static_cast<double>(i) + 0.5) * f.cell + size * 0.35, size, "end",
                  map.queries[i], mono);
  out += text(f.left + f.width / 2, f.top - (f.label_columns ? 24 : 8), 14, "middle", "key (attended to) →");
  const double x = f.left - (f.label_rows ? 28 : 14), y = f.top + f.height / 2;
  out += text(x, y, 14, "middle", "← query (attending)",
              fmt::format(" transform=\"rotate(-90 {:.2f} {:.2f})\"", x, y));
  return out;
}

std::string legend(const Frame& f) {
  constexpr double kWidth = 220, kHeight = 12;
  const double x = f.left, y = f.top + f.height + 22;
  std::string out = "<defs><linearGradient id=\"scale\">\n";
  for (int i = 0; i <= 7; ++i)
    out += fmt::format("<stop offset=\"{:.4f}\" stop-color=\"{}\"/>\n", i / 7.0, hex(heat_color(i / 7.0)));
  out += "</linearGradient></defs>\n";
  out += fmt::format(
      "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.0f}\" height=\"{:.0f}\" fill=\"url(#scale)\"/>\n", x, y,
      kWidth, kHeight);
  out += text(x, y + 28, 13, "middle", "0");
  out += text(x + kWidth, y + 28, 13, "middle", "1");
  return out + text(x + kWidth / 2, y + 28, 13, "middle", "attention weight");
}

}  // namespace

std::string svg_heatmap(const Heatmap& map) {
  check(map.weights.dimension() == 2, "[heatmap] expected weights (n,m), got {}.",
        Shape(map.weights.shape()));
  const Frame f = frame_of(map);
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" "
      "height=\"{1:.0f}\" "
      "role=\"img\" font-family=\"system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif\" "
      "fill=\"#1d1d28\">\n<title>{2}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
      f.total_width(), f.total_height(), escaped(map.title));
  out += text(f.left, 30, 18, "start", map.title, " font-weight=\"600\"");
  return out + cells(map, f) + axes(map, f) + legend(f) + "</svg>\n";
}

}  // namespace headlight::report
