#include "headlight/autograd/node.h"

#include <algorithm>

#include "headlight/autograd/observer.h"
#include "headlight/core/check.h"
#include "headlight/core/count_of_threads.h"

namespace headlight {
namespace {

// A Lamport clock (1978): a node has a larger number than all earlier nodes of its thread, and than its
// inputs. A counter for all threads would also order the nodes, but threads would wait for each other at
// every node.
thread_local std::uint64_t now = 0;

using LiveNodes = CountOfThreads<Node>;

// Freeing a node frees its inputs, then their inputs, and so on through a graph that may be a million nodes
// deep. The first call starts a loop; calls from within the loop only queue their node.
void retire(Node* node) {
  thread_local Node* queue = nullptr;
  thread_local bool draining = false;
  node->next_retired = queue;
  queue = node;
  if (draining) return;
  draining = true;
  while (queue != nullptr) {
    Node* next = queue;
    queue = next->next_retired;
    delete next;
  }
  draining = false;
}

}  // namespace

Node::Node() : sequence(++now) { LiveNodes::add(1); }
Node::~Node() { LiveNodes::add(-1); }

std::shared_ptr<Node> Node::leaf(Array value) {
  std::shared_ptr<Node> node(new Node, retire);
  node->value = std::move(value);
  return node;
}

void Node::release() {
  inputs.clear();
  vjps.clear();
  joint_vjp = nullptr;
}

Tensor make_node(const char* op, std::span<const Tensor> inputs, Array value, std::vector<Vjp> vjps,
                 JointVjp joint) {
  for (std::size_t i = 0; i < vjps.size(); ++i)
    check(vjps[i] || !inputs[i].requires_grad(),
          "[record] the derivative of op '{}' for input {} is an empty function.", op, i);
  for (const Tensor& input : inputs) now = std::max(now, input.node()->sequence);
  Tensor out(std::move(value));
  Node& node = *out.node();
  node.op = op;
  node.requires_grad = true;
  node.inputs.reserve(inputs.size());
  for (const Tensor& input : inputs) node.inputs.push_back({input, input.node()->version});
  node.vjps = std::move(vjps);
  node.joint_vjp = std::move(joint);
  for (OpObserver* observer : observers()) observer->recorded(out);
  return out;
}

std::size_t live_nodes() { return static_cast<std::size_t>(LiveNodes::total()); }

}  // namespace headlight
