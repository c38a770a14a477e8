#include "headlight/studies/tape_graph.h"

#include <fmt/core.h>

#include <unordered_map>

#include "headlight/autograd/graph.h"
#include "headlight/autograd/node.h"
#include "headlight/core/check.h"
#include "headlight/system/files.h"

namespace headlight::studies {

draw::OpGraph tape_of(const Tensor& loss) {
  using draw::OpNode;
  const std::vector<Tensor> tensors = graph_of(loss);
  std::unordered_map<const Node*, std::size_t> number;
  draw::OpGraph nodes;
  for (const Tensor& x : tensors) {
    number.emplace(x.node().get(), nodes.size());
    draw::OpNode node{x.name(), fmt::format("{}", x.shape()), draw::OpNode::op, {}};
    if (x.is_leaf()) node.kind = x.requires_grad() ? draw::OpNode::parameter : draw::OpNode::constant;
    if (node.kind == draw::OpNode::op) node.name = x.op() + (x.name().empty() ? "" : " " + x.name());
    if (node.name.empty()) node.name = node.kind == draw::OpNode::parameter ? "parameter" : "constant";
    for (const Input& input : x.node()->inputs) node.inputs.push_back(number.at(input.tensor.node().get()));
    nodes.push_back(std::move(node));
  }
  return nodes;
}

void draw_tape(const Tensor& loss, const std::filesystem::path& path, const std::string& title) {
  check(path.has_filename(), "[draw_tape] expected the name of a file, as in graph.svg, got '{}'.",
        path.string());
  const draw::OpGraph graph = tape_of(loss);
  std::filesystem::path dot = path;
  write_file(dot.replace_extension(".dot"), draw::dot_graph(graph, title));
  write_file(path, draw::svg_graph(graph, title));
}

}  // namespace headlight::studies
