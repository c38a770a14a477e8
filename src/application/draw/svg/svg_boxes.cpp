#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "headlight/core/check.h"
#include "headlight/draw/diagram.h"
#include "headlight/system/text.h"
#include "svg_page.h"

namespace headlight::draw {
namespace {

using svg::kAccent, svg::kGrey, svg::kInk, svg::Page, svg::TextStyle;

constexpr double kBoxesLeft = 24, kBoxesTop = 70;
constexpr double kBoxHeight = 40, kRowHeight = 116;
constexpr double kBow = 26;   // between neighbours of several edges that join the same two nodes
constexpr double kPort = 13;  // between the ends of neighbours at a box, where there is room

const TextStyle kBoxName{.size = 16, .bold = true};
const TextStyle kBoxNote{.size = 13, .color = kGrey};
const TextStyle kBoxLabel{.size = 13, .color = kAccent};

// The length of the longest path to each node.
std::vector<std::size_t> columns_of(std::size_t nodes, const std::vector<GraphEdge>& edges) {
  std::vector<std::size_t> column(nodes, 0);
  for (std::size_t to = 0; to < nodes; ++to)
    for (const GraphEdge& edge : edges)
      if (edge.to == to) column[to] = std::max(column[to], column[edge.from] + 1);
  return column;
}

// The distance from the middle of a box at which each edge ends. `mine` is the edge's node at this box,
// `other` the node at its far end. Edges are in the order of the rows of `other`, so that they do not cross.
std::vector<double> ports(const std::vector<GraphNode>& nodes, const std::vector<GraphEdge>& edges,
                          std::size_t GraphEdge::*mine, std::size_t GraphEdge::*other) {
  std::vector<double> port;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const double row = nodes[edges[i].*other].row;
    double place = 0, others = 0;
    for (std::size_t k = 0; k < edges.size(); ++k) {
      if (k == i || edges[k].*mine != edges[i].*mine) continue;
      const double its = nodes[edges[k].*other].row;
      ++others;
      place += its < row || (its == row && k < i) ? 0.5 : -0.5;
    }
    port.push_back(place * std::min(kPort, (kBoxHeight - 12) / std::max(1.0, others)));
  }
  return port;
}

struct Corner {
  double x, y;
};

// Where the middle of a label stands beside the middle of a curve from `a` to `d` with control points `b` and
// `c`: on its upper side, or the lower one for a curve that bows up, so that labels stay near their edges and
// off other ones.
Corner label_place(Corner a, Corner b, Corner c, Corner d, double width, bool below) {
  const Corner slope{d.x + c.x - b.x - a.x, d.y + c.y - b.y - a.y};
  const double length = std::hypot(slope.x, slope.y), side = below ? -1 : 1;
  const Corner up{side * slope.y / length, -side * slope.x / length};
  const double distance = std::abs(up.x) * width / 2 + std::abs(up.y) * kBoxLabel.size / 2 + 4;
  return {(a.x + 3 * b.x + 3 * c.x + d.x) / 8 + up.x * distance,
          (a.y + 3 * b.y + 3 * c.y + d.y) / 8 + up.y * distance};
}

// The places of the boxes, which have equal width.
class Boxes {
 public:
  Boxes(const std::vector<GraphNode>& nodes, const std::vector<GraphEdge>& edges, double between)
      : nodes_(nodes), column_(columns_of(nodes.size(), edges)) {
    for (const GraphNode& node : nodes) {
      width_ = std::max(width_, svg::text_width(node.name, kBoxName.size) + 24);
      for (const std::string& line : text_lines(node.note))
        width_ = std::max(width_, svg::text_width(line, kBoxNote.size));
    }
    double label = 0;
    for (const GraphEdge& edge : edges) label = std::max(label, svg::text_width(edge.label, kBoxLabel.size));
    pitch_ = width_ + std::max(between, label + 32);
  }

  double width() const { return width_; }
  double left(std::size_t node) const { return kBoxesLeft + static_cast<double>(column_[node]) * pitch_; }
  double middle(std::size_t node) const { return kBoxesTop + kBoxHeight / 2 + nodes_[node].row * kRowHeight; }

 private:
  const std::vector<GraphNode>& nodes_;
  std::vector<std::size_t> column_;
  double width_ = 56, pitch_ = 0;
};

// The edge from `a` to `d`, which bows out below by `bow`, with its label.
void draw_edge(Page& page, const GraphEdge& edge, Corner a, Corner d, double bow) {
  const double third = (d.x - a.x) / 3;
  const Corner b{a.x + third, a.y + bow}, c{d.x - third, d.y + bow};
  const auto curve = [&](Corner p, Corner q, Corner r, Corner s, const char* color, const char* arrow) {
    page.path(fmt::format("M{:.1f} {:.1f}C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}", p.x, p.y, q.x, q.y, r.x,
                          r.y, s.x, s.y),
              d.x, std::max(a.y, d.y) + std::max(0.0, bow),
              fmt::format("stroke=\"{}\" stroke-width=\"1.6\" marker-end=\"url(#{})\"", color, arrow));
  };
  if (edge.backward)
    curve(d, c, b, a, kAccent, "accent-arrow");
  else
    curve(a, b, c, d, kGrey, "arrow");
  const Corner at = label_place(a, b, c, d, svg::text_width(edge.label, kBoxLabel.size), bow < 0);
  page.text(at.x, at.y + kBoxLabel.size * 0.35, edge.label, kBoxLabel);
}

void draw_edges(Page& page, const Boxes& boxes, const std::vector<GraphNode>& nodes,
                const std::vector<GraphEdge>& edges) {
  std::map<std::pair<std::size_t, std::size_t>, int> total, drawn;
  for (const GraphEdge& edge : edges) ++total[{edge.from, edge.to}];
  const std::vector<double> start = ports(nodes, edges, &GraphEdge::from, &GraphEdge::to);
  const std::vector<double> end = ports(nodes, edges, &GraphEdge::to, &GraphEdge::from);
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const auto [from, to] = std::pair(edges[i].from, edges[i].to);
    const double bow = kBow * (2.0 * drawn[{from, to}]++ - (total[{from, to}] - 1));
    draw_edge(page, edges[i], {boxes.left(from) + boxes.width() + 2, boxes.middle(from) + start[i]},
              {boxes.left(to) - 2, boxes.middle(to) + end[i]}, bow);
  }
}

void draw_box(Page& page, const GraphNode& node, double left, double middle, double width) {
  page.rect({left, middle - kBoxHeight / 2, width, kBoxHeight},
            fmt::format("rx=\"8\" fill=\"#ffffff\" stroke=\"{}\" stroke-width=\"1.5\"", kInk));
  page.text(left + width / 2, middle + 6, node.name, kBoxName);
  double below = middle + kBoxHeight / 2 + 18;
  for (const std::string& line : text_lines(node.note)) {
    page.text(left + width / 2, below, line, kBoxNote);
    below += 17;
  }
}

}  // namespace

std::string svg_boxes(const std::string& title, const std::vector<GraphNode>& nodes,
                      const std::vector<GraphEdge>& edges, double between) {
  for (const GraphEdge& edge : edges)
    check(edge.from < edge.to && edge.to < nodes.size(),
          "[svg_boxes] an edge leads from node {} to node {} of {}; edges lead to later nodes.", edge.from,
          edge.to, nodes.size());
  const Boxes boxes(nodes, edges, between);
  Page page(title);
  draw_edges(page, boxes, nodes, edges);
  for (std::size_t i = 0; i < nodes.size(); ++i)
    draw_box(page, nodes[i], boxes.left(i), boxes.middle(i), boxes.width());
  return page.finish();
}

}  // namespace headlight::draw
