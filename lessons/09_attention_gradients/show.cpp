// What `./headlight show 9` draws: the learner's gradients on the graphs of the exercise's examples.
#include "show.h"

#include <fmt/core.h>

#include <cmath>

#include "attention_gradients.h"
#include "exercise.h"
#include "headlight/draw/diagram.h"
#include "random_head.h"

GatedGradients gated_values_back(const Tensor& dZ, const Tensor& G, const Tensor& P, const Tensor& V);
SinkGradients sink_scores_back(const Tensor& dP, const Tensor& S, const Tensor& mask, const Tensor& sink);
AttentionGradients multi_query_backward(const Tensor& dY, const Tensor& X, const MultiQueryWeights& w,
                                        std::size_t n_heads);

namespace solution {
#include "solution.cpp"
}

namespace {

struct Input {
  std::string name;
  Tensor gradient;
};

// The inputs below each other, the result to their right, and an arrow to each input, along which its
// gradient comes. The gradient's length and numbers stand below the box.
show::Drawn graph(const std::string& title, const std::string& result, const std::vector<Input>& inputs) {
  std::vector<draw::GraphNode> nodes;
  std::vector<draw::GraphEdge> edges;
  std::string text;
  double row = 0;
  for (const Input& input : inputs) {
    const double length = std::sqrt(sum(input.gradient * input.gradient).item());
    const std::string numbers = to_string(input.gradient, 2);
    edges.push_back({nodes.size(), inputs.size(), "d" + input.name, true});
    nodes.push_back({input.name, fmt::format("length {:.4g}\n{}", length, numbers), row});
    row += 1.2;
    text += fmt::format("gradient of {}, length {:.4g}\n{}\n", input.name, length, numbers);
  }
  nodes.push_back({result, "", (row - 1.2) / 2});
  return {draw::svg_boxes(title, nodes, edges, 240), text};
}

show::Drawn gated(decltype(&gated_values_back) back, draw::ColorMode) {
  const GatedGradients d =
      back(tensor({{1, 2}}), tensor({{2, 10}}), tensor({{0.25, 0.75}}), tensor({{1, 0}, {5, 2}}));
  return graph("The backward pass of gated values", "Z = G ⊙ (P V)", {{"V", d.dV}, {"P", d.dP}, {"G", d.dG}});
}

show::Drawn sink(decltype(&sink_scores_back) back, draw::ColorMode) {
  const SinkGradients d = back(tensor({{1, 5, 100}}), tensor({{0, std::log(3.0), 7}}), tensor({{1, 1, 0}}),
                               Tensor(std::log(4.0)));
  return graph("The backward pass of a softmax with a sink", "P", {{"S", d.dS}, {"sink", d.dsink}});
}

show::Drawn attention_back(decltype(&multi_query_backward) back, draw::ColorMode) {
  const MultiQueryWeights w{tensor({{std::log(3.0), 0}, {0, 0}}), tensor({{1}, {0}}), tensor({{1}, {0}}),
                            tensor({{1, 0}, {0, 1}})};
  const AttentionGradients d = back(tensor({{0, 0}, {16, 4}}), tensor({{0, 0}, {1, 0}}), w, 2);
  return graph("The backward pass of attention, two heads", "Y = attention(X)",
               {{"W_O", d.dW_O}, {"W_V", d.dW_V}, {"W_K", d.dW_K}, {"W_Q", d.dW_Q}, {"X", d.dX}});
}

}  // namespace

int main(int argc, char** argv) {
  using show::panel;
  return show::run(argc, argv,
                   {"gradients",
                    "Lesson 9: your gradients on the graph",
                    {panel("gated_values_back", &gated_values_back, &solution::gated_values_back, gated),
                     panel("sink_scores_back", &sink_scores_back, &solution::sink_scores_back, sink),
                     panel("multi_query_backward", &multi_query_backward, &solution::multi_query_backward,
                           attention_back)}});
}
