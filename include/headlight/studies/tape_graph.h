// The graph that the tape has recorded, as a drawing.
#pragma once

#include <filesystem>
#include <string>

#include "headlight/autograd/tensor.h"
#include "headlight/draw/graph.h"

namespace headlight::studies {

// A node for each tensor that the loss depends on: ops by name, parameters by theirs (Tensor::set_name), each
// with the shape of its result. Throws Error when a backward pass freed the graph.
draw::OpGraph tape_of(const Tensor& loss);

// Writes the graph as an SVG figure to `path`, and in Graphviz's language beside it with the extension .dot.
void draw_tape(const Tensor& loss, const std::filesystem::path& path, const std::string& title = "The graph");

}  // namespace headlight::studies
