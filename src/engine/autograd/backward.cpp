#include "headlight/autograd/backward.h"

#include <algorithm>
#include <utility>

#include "headlight/autograd/linear_ops.h"
#include "headlight/autograd/node.h"
#include "headlight/autograd/observer.h"
#include "headlight/autograd/recording.h"
#include "headlight/core/broadcast_kernels.h"
#include "headlight/core/check.h"

namespace headlight {
namespace {

// One backward pass: the nodes between root and the inputs, newest first, each with the sum of the
// cotangents that have arrived so far.
class Pass {
 public:
  struct Entry {
    Tensor tensor;  // dropped once the pass has visited it, unless take() needs its cotangent
    std::uint64_t sequence = 0;
    Tensor cotangent = {};
    std::size_t takers = 0;  // number of calls of take() for its cotangent
    bool needed = false;     // it has takers, or is between root and an entry with takers
    bool leads_on = false;   // one of its inputs is needed
  };

  // Collects the nodes that root depends on. Those older than `oldest` cannot lead to an input.
  Pass(const Tensor& root, std::uint64_t oldest) {
    // The newest remaining node comes next. Among nodes of different threads with the same number, the node
    // that was found first comes first, so the order does not depend on addresses.
    struct Found {
      const Tensor* tensor;
      std::uint64_t sequence;
      std::size_t number;
    };
    const auto later = [](const Found& a, const Found& b) {
      return a.sequence != b.sequence ? a.sequence < b.sequence : a.number > b.number;
    };
    std::vector<Found> todo;
    std::size_t found = 0;
    const auto add = [&](const Tensor& x) {
      if (!x.node()->requires_grad || x.node()->sequence < oldest) return;
      todo.push_back({&x, x.node()->sequence, found++});
      std::push_heap(todo.begin(), todo.end(), later);
    };
    add(root);
    while (!todo.empty()) {
      const Tensor& x = *todo.front().tensor;
      std::pop_heap(todo.begin(), todo.end(), later);
      todo.pop_back();
      const Node& node = *x.node();
      if (is_there(x)) continue;  // several ops have used it
      check(!node.freed,
            "[backward] the graph of '{}' was freed by an earlier backward pass. Hint: give that pass "
            "{{.retain_graph = true}}, or compute the loss again.",
            node.op);
      entries_.push_back({x, node.sequence});
      for (const Input& input : node.inputs) add(input.tensor);
    }
  }

  std::vector<Entry>& entries() { return entries_; }

  // The entry of x; null when root does not depend on it.
  Entry* find(const Tensor& x) {
    const std::uint64_t sequence = x.node()->sequence;
    auto entry = std::lower_bound(entries_.begin(), entries_.end(), sequence,
                                  [](const Entry& e, std::uint64_t number) { return e.sequence > number; });
    for (; entry != entries_.end() && entry->sequence == sequence; ++entry)
      if (same_node(entry->tensor, x)) return &*entry;
    return nullptr;
  }

  // Computes the cotangent of every entry with takers.
  void run(const Tensor& cotangent, bool create_graph, bool retain_graph) {
    if (entries_.empty()) return;  // root is older than every input
    mark_needed();
    const RecordingScope scope(create_graph);
    entries_.front().cotangent = cotangent;
    for (Entry& entry : entries_) {
      if (entry.cotangent.defined() && entry.leads_on) propagate(entry.tensor, entry.cotangent, create_graph);
      if (!retain_graph && entry.leads_on) {
        entry.tensor.node()->release();
        entry.tensor.node()->freed = true;
      }
      if (entry.takers > 0) continue;
      entry.tensor = Tensor();
      entry.cotangent = Tensor();
    }
  }

  // The cotangent of an entry, which the caller may keep and change. Ops may pass a cotangent on unchanged,
  // so other entries or the caller may share it: then it is copied. (The result of an op may stay shared,
  // because it cannot be changed.)
  static Tensor take(Entry& entry, bool create_graph) {
    Tensor g = --entry.takers == 0 ? std::move(entry.cotangent) : entry.cotangent;
    const bool free_to_keep = g.is_leaf() ? g.node().use_count() == 1 : create_graph;
    return free_to_keep ? g : identity(g);
  }

 private:
  // Whether x is among the entries. All entries newer than x must have been collected.
  bool is_there(const Tensor& x) const {
    for (auto entry = entries_.rbegin(); entry != entries_.rend(); ++entry) {
      if (entry->sequence != x.node()->sequence) return false;
      if (same_node(entry->tensor, x)) return true;
    }
    return false;
  }

  void mark_needed() {
    for (auto entry = entries_.rbegin(); entry != entries_.rend(); ++entry) {
      for (const Input& input : entry->tensor.node()->inputs)
        if (const Entry* found = find(input.tensor)) entry->leads_on |= found->needed;
      entry->needed = entry->takers > 0 || entry->leads_on;
    }
  }

  void propagate(const Tensor& output, const Tensor& g, bool create_graph) {
    const Node& node = *output.node();
    const ObservedDerivative observed(output);
    // Not check(), which would evaluate the arguments of its message each time.
    for (const Input& input : node.inputs)
      if (input.version != input.tensor.node()->version)
        fail(
            "[backward] {} was changed after '{}' was computed from it, so the derivative would be of other "
            "numbers. Hint: change it after backward(), or give '{}' a detach()ed copy.",
            describe(input.tensor), node.op, node.op);
    const std::vector<Tensor> joint = node.joint_vjp ? node.joint_vjp(g, output) : std::vector<Tensor>();
    check(!node.joint_vjp || joint.size() == node.inputs.size(),
          "[{}] its derivative expected to return {} cotangents, one for each input, got {}.", node.op,
          node.inputs.size(), joint.size());
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      Entry* input = find(node.inputs[i].tensor);
      if (input == nullptr || !input->needed) continue;
      const Tensor cotangent = node.joint_vjp ? joint[i] : node.vjps[i](g, output);
      observed.differentiated(i, g, cotangent);
      arrive(*input, cotangent, node.op, create_graph);
    }
  }

  static void arrive(Entry& input, Tensor g, const char* op, bool create_graph) {
    const Shape& shape = input.tensor.shape();
    check(g.defined(), "[{}] its derivative returned an undefined Tensor.", op);
    check(broadcasts_to(shape, g.shape()),
          "[{}] its derivative has shape {}, which does not fit the input's shape {}.", op, g.shape(), shape);
    if (g.shape() != shape) g = sum_to(g, shape);
    if (!input.cotangent.defined()) {
      input.cotangent = std::move(g);
    } else if (!create_graph && input.cotangent.node().use_count() == 1) {
      kernels::add_into(input.cotangent.node()->value, g.array());  // nobody else holds it
    } else {
      input.cotangent = add(input.cotangent, g);
    }
  }

  std::vector<Entry> entries_;
};

Tensor starting_cotangent(const Tensor& root, const Tensor& given) {
  check(root.defined(), "[backward] the tensor is undefined.");
  check(
      root.requires_grad(),
      "[backward] this tensor needs no gradient: nothing it was computed from is a parameter(). Hint: was it "
      "computed under NoGrad, or from detach()? `w = w - …` under NoGrad makes a constant of a parameter; "
      "w.mutable_array() -= … does not.");
  if (given.defined()) {
    check(given.shape() == root.shape(),
          "[backward] the cotangent has shape {}, the tensor {}; they must be equal.", given.shape(),
          root.shape());
    return given;
  }
  check(root.size() == 1,
        "[backward] a gradient is of a scalar, but this tensor has shape {}. Hint: take its sum() or mean(), "
        "or pass a cotangent.",
        root.shape());
  return ones(root.shape());
}

}  // namespace

void backward(const Tensor& root, const BackwardOptions& options) {
  const Tensor cotangent = starting_cotangent(root, options.cotangent);
  Pass pass(root, 0);
  for (Pass::Entry& entry : pass.entries()) {
    entry.takers = entry.tensor.is_leaf() ? 1 : 0;
    const Node& node = *entry.tensor.node();
    check(
        !node.grad.defined() || node.grad_version == node.version,
        "[backward] {} was changed after an earlier backward pass left it a gradient, and the new one would "
        "be added to it. Hint: call zero_grad(), of an optimizer or a tensor, before each backward().",
        describe(entry.tensor));
  }
  pass.run(cotangent, options.create_graph, options.retain_graph || options.create_graph);
  const RecordingScope scope(options.create_graph);
  for (Pass::Entry& entry : pass.entries()) {
    if (entry.takers == 0 || !entry.cotangent.defined()) continue;
    Node& leaf = *entry.tensor.node();
    leaf.grad =
        leaf.grad.defined() ? add(leaf.grad, entry.cotangent) : Pass::take(entry, options.create_graph);
    leaf.grad_version = leaf.version;
  }
}

std::vector<Tensor> grad(const Tensor& root, const std::vector<Tensor>& inputs, const GradOptions& options) {
  const Tensor cotangent = starting_cotangent(root, options.cotangent);
  std::uint64_t oldest = UINT64_MAX;
  for (const Tensor& x : inputs) {
    check(x.defined(), "[grad] an input is undefined.");
    if (!x.requires_grad()) fail("[grad] {} needs no gradient. Hint: make it with parameter().", describe(x));
    oldest = std::min(oldest, x.node()->sequence);
  }
  Pass pass(root, oldest);
  for (const Tensor& x : inputs)
    if (Pass::Entry* entry = pass.find(x)) ++entry->takers;
  pass.run(cotangent, options.create_graph, options.retain_graph || options.create_graph);
  const RecordingScope scope(options.create_graph);
  std::vector<Tensor> grads;
  grads.reserve(inputs.size());
  for (const Tensor& x : inputs) {
    Pass::Entry* entry = pass.find(x);
    const bool reached = entry != nullptr && entry->cotangent.defined();
    if (!reached && !options.allow_unused)
      fail(
          "[grad] the result does not depend on {}. Hint: was the graph cut by detach() or NoGrad? audit() "
          "says where; {{.allow_unused = true}} gives zeros instead.",
          describe(x));
    grads.push_back(reached ? Pass::take(*entry, options.create_graph) : zeros(x.shape()));
  }
  return grads;
}

}  // namespace headlight
