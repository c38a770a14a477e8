// Nodes of the graph: one for each array, with the op that computed it, its inputs and its derivatives.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "headlight/autograd/tensor.h"

namespace headlight {

// The derivative of an op with respect to one input. It maps the cotangent z̄ = ∂loss/∂output and the output
// z to the cotangent of the input. It is written in tensor ops, so that it can itself be differentiated. The
// output is an argument because a closure that captured it would keep its own node alive forever.
using Vjp = std::function<Tensor(const Tensor& cotangent, const Tensor& output)>;

// The derivatives with respect to all inputs together, for ops where they share work; undefined for inputs
// that require no gradient. The backward pass throws Error unless there is one for each input.
using JointVjp = std::function<std::vector<Tensor>(const Tensor& cotangent, const Tensor& output)>;

// An input of a recorded op, and its version at that time. A backward pass throws for an op whose input has
// another version by then.
struct Input {
  Tensor tensor;
  std::uint64_t version;
};

// What an observer keeps with a node (observer.h).
struct Note {
  virtual ~Note() = default;
};

struct Node {
  Array value;
  std::string name;  // for messages: "blocks.0.attn.W_Q"
  bool requires_grad = false;
  bool freed = false;  // a backward pass has consumed its closures
  const char* op = "leaf";
  std::uint64_t sequence;     // larger than that of every input: sorting by it is topological order
  std::uint64_t version = 0;  // how often mutable_array() handed out the array of this leaf
  std::vector<Input> inputs;
  std::vector<Vjp> vjps;  // one per input, empty where the input requires no gradient; or
  JointVjp joint_vjp;
  Tensor grad;
  std::uint64_t grad_version = 0;  // the leaf's version when grad was computed
  std::vector<std::unique_ptr<Note>> notes;
  Node* next_retired = nullptr;  // see node.cpp: nodes are freed in a loop, not by recursion

  // A node without inputs; the pointer is its only owner.
  static std::shared_ptr<Node> leaf(Array value);

  Node();
  ~Node();
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  // Drops inputs and closures, and with them everything that only they kept alive.
  void release();

  // The note of this type; null if there is none.
  template <class T>
  const T* note() const {
    for (const auto& any : notes)
      if (const auto* found = dynamic_cast<const T*>(any.get())) return found;
    return nullptr;
  }
};

// A node that requires a gradient for `value`, computed by `op` from `inputs`.
Tensor make_node(const char* op, std::span<const Tensor> inputs, Array value, std::vector<Vjp> vjps,
                 JointVjp joint);

// Nodes alive in the whole program.
std::size_t live_nodes();

}  // namespace headlight
