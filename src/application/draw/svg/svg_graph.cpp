#include <fmt/core.h>

#include <algorithm>

#include "headlight/draw/graph.h"
#include "headlight/system/text.h"
#include "layered_layout.h"
#include "svg_page.h"

namespace headlight::draw {
namespace {

using svg::kAccent, svg::kGrey, svg::kInk, svg::Page, svg::TextStyle;

constexpr double kTapeLeft = 24, kTapeTop = 60;
constexpr double kNodeHeight = 42, kNodeRow = 76, kNodeGap = 18;
constexpr double kNodePort = 12;  // between the ends of edges at a box, where there is room

const TextStyle kNodeName{.size = 15, .bold = true};
const TextStyle kShape{.size = 12, .color = kGrey};

std::string dot_text(const std::string& text) {
  std::string escaped;
  for (char c : printable(text)) escaped += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return escaped;
}

// The distance from the middle of its box at which each edge ends, in the order of the edges, so that they do
// not cross.
std::vector<double> ports(const LayeredLayout& layout, const std::vector<LayeredNode>& boxes) {
  std::vector<std::vector<std::pair<double, std::size_t>>> arriving(boxes.size());
  for (std::size_t e = 0; e < layout.edges.size(); ++e) {
    const LayeredEdge& edge = layout.edges[e];
    arriving[edge.to].emplace_back(edge.bends.empty() ? layout.places[edge.from].x : edge.bends.back(), e);
  }
  std::vector<double> port(layout.edges.size(), 0);
  for (std::size_t to = 0; to < boxes.size(); ++to) {
    auto& edges = arriving[to];
    std::sort(edges.begin(), edges.end());
    const auto count = static_cast<double>(edges.size());
    const double step = std::min(kNodePort, (boxes[to].width - 16) / std::max(1.0, count));
    for (std::size_t k = 0; k < edges.size(); ++k)
      port[edges[k].second] = (static_cast<double>(k) - (count - 1) / 2) * step;
  }
  return port;
}

struct Waypoint {
  double x, y;
};

// The middle of the upper side of a box.
Waypoint top_of(const LayeredLayout& layout, std::size_t node) {
  const LayeredPlace& place = layout.places[node];
  return {kTapeLeft + place.x, kTapeTop + static_cast<double>(place.layer) * kNodeRow};
}

// An edge to its place `port` beside the middle of the box; it runs straight down past the boxes of the
// layers between.
void draw_edge(Page& page, const LayeredLayout& layout, const LayeredEdge& edge, double port) {
  const Waypoint from = top_of(layout, edge.from), to = top_of(layout, edge.to);
  const double end = to.x + port;
  double x = from.x, y = from.y + kNodeHeight, right = std::max(x, end);
  std::string way = fmt::format("M{:.1f} {:.1f}", x, y);
  const auto curve_to = [&](double to_x, double to_y) {
    const double half = (to_y - y) / 2;
    way +=
        fmt::format("C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}", x, y + half, to_x, to_y - half, to_x, to_y);
    x = to_x, y = to_y;
  };
  double row = from.y;
  for (double bend : edge.bends) {
    row += kNodeRow;
    curve_to(kTapeLeft + bend, row);
    y = row + kNodeHeight;
    way += fmt::format("L{:.1f} {:.1f}", x, y);
    right = std::max(right, x);
  }
  curve_to(end, to.y - 2);
  page.path(way, right, y,
            fmt::format("stroke=\"{}\" stroke-width=\"1.4\" marker-end=\"url(#arrow)\"", kGrey));
}

void draw_box(Page& page, const OpNode& node, Waypoint top, double width) {
  const char* look = node.kind == OpNode::parameter  ? "fill=\"#ffe3c7\""
                     : node.kind == OpNode::constant ? "fill=\"#ffffff\" stroke-dasharray=\"5 4\""
                                                     : "fill=\"#ffffff\"";
  const char* line = node.kind == OpNode::parameter ? kAccent : node.kind == OpNode::op ? kInk : kGrey;
  page.rect({top.x - width / 2, top.y, width, kNodeHeight},
            fmt::format("rx=\"8\" {} stroke=\"{}\" stroke-width=\"1.4\"", look, line));
  page.text(top.x, top.y + 18, node.name, kNodeName);
  page.text(top.x, top.y + 34, node.shape, kShape);
}

}  // namespace

std::string dot_graph(const OpGraph& nodes, const std::string& title) {
  std::string text =
      fmt::format("digraph \"{}\" {{\n  node [shape=box, fontname=\"sans-serif\"];\n", dot_text(title));
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const char* style = nodes[i].kind == OpNode::parameter  ? ", style=filled, fillcolor=\"#ffe3c7\""
                        : nodes[i].kind == OpNode::constant ? ", style=dashed"
                                                            : "";
    text += fmt::format("  n{} [label=\"{}\\n{}\"{}];\n", i, dot_text(nodes[i].name), nodes[i].shape, style);
    for (std::size_t input : nodes[i].inputs) text += fmt::format("  n{} -> n{};\n", input, i);
  }
  return text + "}\n";
}

std::string svg_graph(const OpGraph& nodes, const std::string& title) {
  std::vector<LayeredNode> boxes;
  for (const OpNode& node : nodes)
    boxes.push_back({std::max({56.0, 1.1 * svg::text_width(node.name, kNodeName.size) + 20,
                               svg::text_width(node.shape, kShape.size) + 16}),
                     node.inputs});
  const LayeredLayout layout = layered_layout(boxes, kNodeGap);
  const std::vector<double> port = ports(layout, boxes);
  Page page(title);
  for (std::size_t e = 0; e < layout.edges.size(); ++e) draw_edge(page, layout, layout.edges[e], port[e]);
  for (std::size_t i = 0; i < nodes.size(); ++i) draw_box(page, nodes[i], top_of(layout, i), boxes[i].width);
  return page.finish();
}

}  // namespace headlight::draw
