// Drawings that explain: matrices with operators between them, a buffer and the ways to walk it, a graph.
// Each is a standalone SVG picture with its title in it; the same input gives the same bytes.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "headlight/core/array.h"

namespace headlight::inline HEADLIGHT_PRECISION::report {

enum class CellStyle {
  plain,
  strong,  // what the picture is about
  copied,  // hatched: repeats a number that stands elsewhere
  faint,   // not in use: masked, or not looked at
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

// The numbers of x with so many decimals, its shape as the note. x is (n,m), or (m), drawn as one row, or ().
// Throws Error for more axes.
DrawnMatrix matrix_of(const std::string& before, const std::string& name, const Array& x, int decimals = 0,
                      CellStyle style = CellStyle::plain);

// The matrices side by side, centred on one line. Throws Error when there is none, or when the rows of one
// differ in length.
std::string svg_matrices(const std::string& title, const std::vector<DrawnMatrix>& matrices);

// The same in several lines: the first matrices of all lines are centred below each other, and so on.
// Throws as svg_matrices, also for an empty line.
std::string svg_matrix_lines(const std::string& title, const std::vector<std::vector<DrawnMatrix>>& lines);

// A way through a buffer: the offsets in the order in which they are read.
struct BufferWalk {
  std::string name;
  std::vector<std::size_t> offsets;
};

// The buffer as a strip of cells, its offsets above them, and below it a line of hops for each walk, forward
// above the dots and backward below. The number in a dot counts what is read: 1 is first. Where an offset
// follows itself, a loop says how often it is read, and the dot has the first of these numbers.
// Throws Error when a walk is empty or leaves the buffer.
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

// Nodes as boxes, each to the right of all that lead to it. Edges that meet at a box stand apart there, those
// between the same two nodes also bow apart.
// Throws Error when an edge names no node, or does not lead to a later one.
std::string svg_boxes(const std::string& title, const std::vector<GraphNode>& nodes,
                      const std::vector<GraphEdge>& edges);

}  // namespace headlight::inline HEADLIGHT_PRECISION::report
