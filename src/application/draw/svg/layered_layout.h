// The layout of a graph in which every edge leads down: layers, each in an order with few crossings.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace headlight::draw {

struct LayeredNode {
  double width = 0;
  std::vector<std::size_t> inputs = {};  // nodes with smaller numbers; one may occur more than once
};

struct LayeredPlace {
  std::size_t layer = 0;  // 0 is the top
  double x = 0;           // of the node's middle
};

// The path of an edge: the x at which it passes each layer between its ends.
struct LayeredEdge {
  std::size_t from = 0, to = 0;
  std::vector<double> bends = {};
};

struct LayeredLayout {
  std::vector<LayeredPlace> places;
  std::vector<LayeredEdge> edges;  // in the order of the nodes, and of each node's inputs
  std::size_t layers = 0;
};

// Each node is one layer below the lowest of its inputs; a node without inputs is just above its first user.
// Nodes of a layer are at least `gap` apart; the left end of the layout is at 0. (After Sugiyama, Tagawa and
// Toda 1981: long edges pass through a point in each layer; each layer is sorted repeatedly by the mean place
// of its neighbours; then nodes move towards their neighbours as far as their order allows.)
LayeredLayout layered_layout(const std::vector<LayeredNode>& nodes, double gap);

}  // namespace headlight::draw
