// Drawings of a graph of operations.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace headlight::draw {

struct OpNode {
  std::string name, shape;  // the two lines of its box
  enum Kind { op, parameter, constant } kind;
  std::vector<std::size_t> inputs;  // numbers of nodes before this one
};
using OpGraph = std::vector<OpNode>;

// The graph in Graphviz's language, with the inputs at the top: a box per op, a filled box per parameter, a
// dashed box per constant.
std::string dot_graph(const OpGraph& graph, const std::string& title);

// The same as an SVG figure, without Graphviz.
std::string svg_graph(const OpGraph& graph, const std::string& title);

}  // namespace headlight::draw
