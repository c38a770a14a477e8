// Draws the graph that a result was computed by: what the tape has recorded.
#pragma once

#include <filesystem>
#include <string>

#include "headlight/autograd/tensor.h"

namespace headlight::inline HEADLIGHT_PRECISION::report {

// The graph of a loss in Graphviz's language, inputs above: a box for each op with the shape of its result, a
// filled one for each parameter with its name (see Tensor::set_name), a dashed one for each constant. Throws
// Error when the graph was freed by a backward pass.
std::string dot_graph(const Tensor& loss, const std::string& title);

// The same as an SVG picture, laid out here: Graphviz is not needed.
std::string svg_graph(const Tensor& loss, const std::string& title);

// Writes both beside each other: `path` is that of the SVG; the DOT file has its name with .dot.
void draw_graph(const Tensor& loss, const std::filesystem::path& path,
                const std::string& title = "The graph");

}  // namespace headlight::inline HEADLIGHT_PRECISION::report
