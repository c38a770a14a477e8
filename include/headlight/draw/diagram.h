// Diagrams: matrices with operators between them, a buffer and walks through it, a graph. Each is a
// standalone SVG figure that contains its title. The same input gives the same bytes.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "headlight/core/array.h"

namespace headlight::draw {

enum class CellStyle {
  plain,
  strong,  // the subject of the figure
  copied,  // hatched: repeats the number of another cell
  faint,   // not in use: masked, or not read
};

struct Cell {
  std::string text;
  CellStyle style = CellStyle::plain;
};

struct DrawnMatrix {
  std::string before;                   // the operator to its left: "+", "=", "→"; may be empty
  std::string name;                     // above it
  std::vector<std::vector<Cell>> rows;  // all of one length
  std::string note;                     // below it
};

// The numbers of x with `decimals` decimals, and its shape as the note. x is (n,m), (m), which is drawn as
// one row, or (). Throws Error for more axes.
DrawnMatrix matrix_of(const std::string& before, const std::string& name, const Array& x, int decimals = 0,
                      CellStyle style = CellStyle::plain);

// The matrices side by side, centred on one line. Throws Error without matrices, or if the rows of a matrix
// differ in length.
std::string svg_matrices(const std::string& title, const std::vector<DrawnMatrix>& matrices);

// The same in several lines: the first matrices of all lines are centred below each other, then the second,
// and so on. Throws as svg_matrices, also for an empty line.
std::string svg_matrix_lines(const std::string& title, const std::vector<std::vector<DrawnMatrix>>& lines);

// A walk through a buffer: the offsets in the order in which they are read.
struct BufferWalk {
  std::string name;
  std::vector<std::size_t> offsets;
};

// The buffer as a strip of cells with the offsets above. Below it, each walk is a line of dots joined by
// hops: forward hops above the dots, backward hops below. The number in a dot counts the reads from 1. If an
// offset is read several times in a row, a loop shows how often, and the dot has the first number. Throws
// Error when a walk is empty or leaves the buffer.
std::string svg_buffer(const std::string& title, const std::vector<Cell>& cells,
                       const std::vector<BufferWalk>& walks);

struct GraphNode {
  std::string name;       // in the box
  std::string note = {};  // below it; may have several lines
  double row = 0;         // 0 is the top; the column follows from the edges
};

struct GraphEdge {
  std::size_t from = 0, to = 0;  // numbers of nodes; from < to
  std::string label;
  bool backward = false;  // drawn as an arrow from `to` to `from`
};

// Nodes as boxes, each to the right of all nodes that lead to it. Edges end at different points of a box, and
// edges between the same two nodes are curved apart. `between` is the least distance from box to box, in
// pixels; a label may need more. Throws Error when an edge names a node that does not exist, or does not lead
// to a later node.
std::string svg_boxes(const std::string& title, const std::vector<GraphNode>& nodes,
                      const std::vector<GraphEdge>& edges, double between = 110);

}  // namespace headlight::draw
