#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "headlight/core/check.h"
#include "headlight/report/diagram.h"
#include "svg_page.h"

namespace headlight::report {
namespace {

using svg::kAccent, svg::kGrey, svg::kInk, svg::Page, svg::TextStyle;

constexpr double kLeft = 24, kTop = 70;
constexpr double kBoxHeight = 40, kRowHeight = 116, kBetween = 96;
constexpr double kBow = 22;  // between neighbours of several edges that join the same two nodes

const TextStyle kName{.size = 16, .bold = true};
const TextStyle kNote{.size = 13, .color = kGrey};
const TextStyle kLabel{.size = 13, .color = kAccent, .halo = true};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// The length of the longest way that leads to each node.
std::vector<std::size_t> columns_of(std::size_t nodes, const std::vector<GraphEdge>& edges) {
  std::vector<std::size_t> column(nodes, 0);
  for (std::size_t to = 0; to < nodes; ++to)
    for (const GraphEdge& edge : edges)
      if (edge.to == to) column[to] = std::max(column[to], column[edge.from] + 1);
  return column;
}

}  // namespace

std::string svg_graph(const std::string& title, const std::vector<GraphNode>& nodes,
                      const std::vector<GraphEdge>& edges) {
  double box = 56, label = 0;
  for (const GraphNode& node : nodes) {
    box = std::max(box, svg::text_width(node.name, kName.size) + 24);
    for (const std::string& line : lines_of(node.note))
      box = std::max(box, svg::text_width(line, kNote.size));
  }
  for (const GraphEdge& edge : edges) {
    check(edge.from < edge.to && edge.to < nodes.size(),
          "[svg_graph] an edge leads from node {} to node {} of {}; edges lead to later nodes.", edge.from,
          edge.to, nodes.size());
    label = std::max(label, svg::text_width(edge.label, kLabel.size));
  }
  const double pitch = box + std::max(kBetween, label + 32);
  const std::vector<std::size_t> column = columns_of(nodes.size(), edges);
  const auto left = [&](std::size_t node) { return kLeft + static_cast<double>(column[node]) * pitch; };
  const auto middle = [&](std::size_t node) { return kTop + kBoxHeight / 2 + nodes[node].row * kRowHeight; };

  Page page(title);
  std::map<std::pair<std::size_t, std::size_t>, int> total, drawn;
  for (const GraphEdge& edge : edges) ++total[{edge.from, edge.to}];
  for (const GraphEdge& edge : edges) {
    const std::pair<std::size_t, std::size_t> ends{edge.from, edge.to};
    const double bow = kBow * (2.0 * drawn[ends]++ - (total[ends] - 1));
    const double x0 = left(edge.from) + box, y0 = middle(edge.from), x1 = left(edge.to) - 3,
                 y1 = middle(edge.to);
    const double third = (x1 - x0) / 3, start = y0 + bow * 0.3, end = y1 + bow * 0.3;
    page.path(fmt::format("M{:.1f} {:.1f}C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}", x0, start, x0 + third,
                          y0 + bow * 1.25, x1 - third, y1 + bow * 1.25, x1, end),
              x1, std::max(start, end) + std::max(0.0, bow),
              fmt::format("stroke=\"{}\" stroke-width=\"1.6\" marker-end=\"url(#arrow)\"", kGrey));
    page.text((x0 + x1) / 2, (y0 + y1) / 2 + bow + (bow > 0 ? 17 : -7), edge.label, kLabel);
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    page.rect({left(i), middle(i) - kBoxHeight / 2, box, kBoxHeight},
              fmt::format("rx=\"8\" fill=\"#ffffff\" stroke=\"{}\" stroke-width=\"1.5\"", kInk));
    page.text(left(i) + box / 2, middle(i) + 6, nodes[i].name, kName);
    double below = middle(i) + kBoxHeight / 2 + 18;
    for (const std::string& line : lines_of(nodes[i].note)) {
      page.text(left(i) + box / 2, below, line, kNote);
      below += 17;
    }
  }
  return page.finish();
}

}  // namespace headlight::report
