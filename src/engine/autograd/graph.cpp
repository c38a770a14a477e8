#include "headlight/autograd/graph.h"

#include <algorithm>
#include <unordered_set>

#include "headlight/autograd/node.h"
#include "headlight/core/check.h"

namespace headlight {

std::vector<Tensor> graph_of(const Tensor& root) {
  check(root.defined(), "[graph_of] the tensor is undefined.");
  std::vector<Tensor> nodes, todo{root};
  std::unordered_set<const Node*> seen;
  while (!todo.empty()) {
    const Tensor x = std::move(todo.back());
    todo.pop_back();
    if (!seen.insert(x.node().get()).second) continue;
    check(
        !x.node()->freed,
        "[graph_of] the graph of '{}' was freed by a backward pass. Hint: look before backward(), or give it "
        "{{.retain_graph = true}}.",
        x.op());
    for (const Input& input : x.node()->inputs) todo.push_back(input.tensor);
    nodes.push_back(x);
  }
  std::sort(nodes.begin(), nodes.end(),
            [](const Tensor& a, const Tensor& b) { return a.node()->sequence < b.node()->sequence; });
  return nodes;
}

}  // namespace headlight
