// Draws the graph that the tape has recorded.
#pragma once

#include <filesystem>
#include <string>

#include "headlight/autograd/tensor.h"

namespace headlight::inline HEADLIGHT_PRECISION::report {

// The graph of a loss in Graphviz's language, with the inputs at the top: a box per op with the shape of its
// result, a filled box per parameter with its name (see Tensor::set_name), a dashed box per constant. Throws
// Error when a backward pass freed the graph.
std::string dot_graph(const Tensor& loss, const std::string& title);

// The same as an SVG figure, without Graphviz.
std::string svg_graph(const Tensor& loss, const std::string& title);

// Writes both files: the SVG to `path`, the DOT file beside it with the extension .dot.
void draw_graph(const Tensor& loss, const std::filesystem::path& path,
                const std::string& title = "The graph");

}  // namespace headlight::inline HEADLIGHT_PRECISION::report
