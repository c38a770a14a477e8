#include "headlight/draw/graph.h"

#include <algorithm>

#include "catch.h"
#include "draw/svg/layered_layout.h"
#include "headlight/nn/transformer.h"
#include "headlight/ops/ops.h"
#include "headlight/studies/tape_graph.h"
#include "headlight/system/files.h"
#include "temporary_folder.h"

using namespace headlight;
using namespace headlight::studies;
using namespace headlight::draw;

namespace {

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

Tensor small_loss() {
  Tensor w = parameter(tensor({{1, 2}, {3, 4}}));
  w.set_name("a \"W\" & <b>");
  return sum(tanh(matmul(tensor({{1, 0}}), w)) * 2);
}

}  // namespace

TEST_CASE("a graph as DOT has a box for each op, with its shape, and marks parameters", "[report]") {
  const std::string dot = dot_graph(tape_of(small_loss()), "t");
  CHECK(dot.starts_with("digraph \"t\" {\n"));
  for (const char* box :
       {"[label=\"matmul\\n(1,2)\"]", "[label=\"tanh\\n(1,2)\"]", "[label=\"sum\\n()\"]",
        "[label=\"a \\\"W\\\" & <b>\\n(2,2)\", style=filled", "[label=\"constant\\n()\", style=dashed]"})
    CHECK(contains(dot, box));
  CHECK(occurrences(dot, " -> ") == 6);
  const auto node = [&](const std::string& op) {
    const std::size_t begin = dot.rfind("\n", dot.find("[label=\"" + op)) + 3;
    return dot.substr(begin, dot.find(' ', begin) - begin);
  };
  CHECK(contains(dot, node("matmul") + " -> " + node("tanh") + ";"));  // from an input to its result
  CHECK(dot.ends_with("}\n"));
}

TEST_CASE("a graph as SVG shows the same, with names made safe", "[report]") {
  const std::string svg = svg_graph(tape_of(small_loss()), "My graph");
  CHECK(contains(svg, "<title>My graph</title>"));
  CHECK(contains(svg, ">matmul</text>"));
  CHECK(contains(svg, ">(2,2)</text>"));
  CHECK(contains(svg, ">a &quot;W&quot; &amp; &lt;b&gt;</text>"));
  CHECK(occurrences(svg, "marker-end=\"url(#arrow)\"") == 6);
  CHECK(occurrences(svg, "stroke-dasharray") == 2);
  CHECK(svg == svg_graph(tape_of(small_loss()), "My graph"));
}

TEST_CASE("the parameters of a transformer stand in its graph by name", "[report]") {
  Rng rng(1);
  nn::Transformer model({.d_model = 8, .n_heads = 2, .d_vocab = 5, .n_ctx = 4}, rng);
  const Tensor loss = cross_entropy(model(IntArray{{0, 1, 2}}), IntArray{{1, 2, 3}});
  const std::string svg = svg_graph(tape_of(loss), "model");
  for (const auto& [name, parameter] : nn::named_parameters(model))
    CHECK(occurrences(svg, ">" + name + "<") == 1);
  CHECK(occurrences(svg, "scaled_dot_product_attention") == 2);
}

TEST_CASE("draw_tape writes both files side by side", "[report]") {
  const TemporaryFolder folder;
  const Tensor loss = small_loss();
  draw_tape(loss, folder.path() / "graph.svg", "t");
  CHECK(read_file(folder.path() / "graph.svg") == svg_graph(tape_of(loss), "t"));
  CHECK(read_file(folder.path() / "graph.dot") == dot_graph(tape_of(loss), "t"));
  CHECK(contains(error_of([&] { draw_tape(loss, ""); }), "expected the name of a file"));
  loss.backward();
  CHECK(contains(error_of([&] { draw_tape(loss, folder.path() / "late.svg"); }),
                 "was freed by a backward pass"));
  CHECK_FALSE(std::filesystem::exists(folder.path() / "late.svg"));
}

TEST_CASE("edges lead down, and boxes of a layer stand apart", "[report]") {
  // A long edge from 0 to 5, two inputs of 3, and a leaf that is used late.
  const std::vector<LayeredNode> nodes{{60, {}},     {80, {0}}, {50, {0}},
                                       {90, {1, 2}}, {40, {}},  {70, {3, 0, 4, 4}}};
  const LayeredLayout layout = layered_layout(nodes, 10);
  const auto& place = layout.places;
  CHECK(layout.layers == 4);
  CHECK(place[4].layer == 2);
  CHECK(layout.edges.size() == 8);
  for (const LayeredEdge& edge : layout.edges) {
    CHECK(place[edge.from].layer < place[edge.to].layer);
    CHECK(edge.bends.size() == place[edge.to].layer - place[edge.from].layer - 1);
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    CHECK(place[i].x - nodes[i].width / 2 > -1e-9);
    for (std::size_t j = 0; j < i; ++j)
      if (place[i].layer == place[j].layer)
        CHECK(std::abs(place[i].x - place[j].x) > (nodes[i].width + nodes[j].width) / 2 + 10 - 1e-9);
  }
}

TEST_CASE("a chain is drawn straight", "[report]") {
  const LayeredLayout layout = layered_layout({{60, {}}, {20, {0}}, {90, {1}}}, 10);
  CHECK(layout.places[0].x == Approx(layout.places[2].x));
  CHECK(layout.places[1].x == Approx(layout.places[2].x));
}
