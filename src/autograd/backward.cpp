#include "headlight/autograd/backward.h"

#include <algorithm>
#include <unordered_map>

#include "headlight/autograd/linear_ops.h"
#include "headlight/autograd/record.h"
#include "headlight/core/kernels.h"

namespace headlight {
namespace {

// One backward pass: the nodes between root and the inputs, newest first, each with the cotangent that
// has arrived so far.
class Pass {
 public:
  struct Entry {
    Tensor tensor;
    Tensor cotangent = {};
    bool needed = false;
  };

  // Collects the nodes that root depends on. Those older than `oldest` cannot lead to an input.
  Pass(const Tensor& root, std::uint64_t oldest) {
    std::vector<Tensor> todo{root};
    while (!todo.empty()) {
      const Tensor x = std::move(todo.back());
      todo.pop_back();
      const Node& node = *x.node();
      if (!node.requires_grad || node.sequence < oldest || !place_.emplace(&node, 0).second) continue;
      check(!node.freed,
            "[backward] the graph of '{}' was freed by an earlier backward pass. Hint: give that pass "
            "{{.retain_graph = true}}, or compute the loss again.",
            node.op);
      for (const Input& input : node.inputs) todo.push_back(input.tensor);
      entries_.push_back({x});
    }
    std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
      return a.tensor.node()->sequence > b.tensor.node()->sequence;
    });
    for (std::size_t i = 0; i < entries_.size(); ++i) place_[entries_[i].tensor.node().get()] = i;
  }

  Entry* find(const Tensor& x) {
    const auto found = place_.find(x.node().get());
    return found == place_.end() ? nullptr : &entries_[found->second];
  }

  void mark_leaves_needed() {
    for (Entry& entry : entries_) entry.needed = entry.tensor.is_leaf();
    mark_needed();
  }

  // Marks what lies between the inputs (marked already) and root.
  void mark_needed() {
    for (auto entry = entries_.rbegin(); entry != entries_.rend(); ++entry)
      for (const Input& input : entry->tensor.node()->inputs)
        if (const Entry* found = find(input.tensor)) entry->needed |= found->needed;
  }

  // `finished` is told each node's full cotangent, once.
  template <class Finished>
  void run(const Tensor& cotangent, bool create_graph, bool retain_graph, Finished finished) {
    if (entries_.empty()) return;  // root is older than every input
    const RecordingScope scope(create_graph);
    entries_.front().cotangent = cotangent;
    for (Entry& entry : entries_) {
      Node& node = *entry.tensor.node();
      const Tensor g = std::move(entry.cotangent);
      entry.cotangent = Tensor();
      if (g.defined() && entry.needed) {
        finished(entry.tensor, g);
        if (leads_on(node)) propagate(entry.tensor, g, create_graph);
      }
      if (!retain_graph && leads_on(node)) {
        node.release();
        node.freed = true;
      }
      entry.tensor = Tensor();
    }
  }

 private:
  bool leads_on(const Node& node) {
    return std::any_of(node.inputs.begin(), node.inputs.end(), [this](const Input& input) {
      const Entry* found = find(input.tensor);
      return found != nullptr && found->needed;
    });
  }

  void propagate(const Tensor& output, const Tensor& g, bool create_graph) {
    const Node& node = *output.node();
    const DerivativeScope scope(node.op);
    for (const Input& input : node.inputs)
      if (has_changed(input))  // no check(): its words would be put together even when all is well
        fail(
            "[backward] {} was changed after '{}' was computed from it, so the derivative would be of other "
            "numbers. Hint: change it after backward(), or give '{}' a detach()ed copy.",
            describe(input.tensor), node.op, node.op);
    const std::vector<Tensor> joint = node.joint_vjp ? node.joint_vjp(g, output) : std::vector<Tensor>();
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      Entry* input = find(node.inputs[i].tensor);
      if (input == nullptr || !input->needed) continue;
      const Tensor cotangent = node.joint_vjp ? joint.at(i) : node.vjps[i](g, output);
      if (anomalies_watched()) watch_cotangent(node.op, i, input->tensor, g, cotangent);
      arrive(*input, cotangent, node.op, create_graph);
    }
  }

  static void arrive(Entry& input, Tensor g, const char* op, bool create_graph) {
    const Shape& shape = input.tensor.shape();
    check(g.defined() && broadcasts_to(shape, g.shape()),
          "[{}] its derivative has shape {}, which does not fit the input's shape {}.", op,
          g.defined() ? g.shape() : Shape{}, shape);
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
  std::unordered_map<const Node*, std::size_t> place_;
};

Tensor starting_cotangent(const Tensor& root, const Tensor& given) {
  check(root.defined(), "[backward] the tensor is undefined.");
  check(
      root.requires_grad(),
      "[backward] this tensor needs no gradient: nothing it was computed from is a parameter(). Hint: was it "
      "computed under NoGrad, or from detach()?");
  if (given.defined()) {
    check(given.shape() == root.shape(),
          "[backward] the cotangent has shape {}, the tensor {}; they must be equal.", given.shape(),
          root.shape());
    return given;
  }
  check(root.size() == 1,
        "[backward] a gradient is of a scalar, but this tensor has shape {}. Hint: take its sum() or mean(), "
        "or pass "
        "a cotangent.",
        root.shape());
  return ones(root.shape());
}

}  // namespace

void backward(const Tensor& root, const BackwardOptions& options) {
  const Tensor cotangent = starting_cotangent(root, options.cotangent);
  Pass pass(root, 0);
  pass.mark_leaves_needed();
  pass.run(cotangent, options.create_graph, options.retain_graph || options.create_graph,
           [](const Tensor& x, const Tensor& g) {
             if (!x.is_leaf()) return;
             Node& leaf = *x.node();
             leaf.grad = leaf.grad.defined() ? add(leaf.grad, g) : g;
           });
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
  std::unordered_map<const Node*, Tensor> results;
  for (const Tensor& x : inputs) {
    results.emplace(x.node().get(), Tensor());
    if (Pass::Entry* entry = pass.find(x)) entry->needed = true;
  }
  pass.mark_needed();
  pass.run(cotangent, options.create_graph, options.retain_graph || options.create_graph,
           [&](const Tensor& x, const Tensor& g) {
             const auto wanted = results.find(x.node().get());
             if (wanted != results.end()) wanted->second = g;
           });
  std::vector<Tensor> grads;
  for (const Tensor& x : inputs) {
    const Tensor& g = results.at(x.node().get());
    if (!g.defined() && !options.allow_unused)
      fail(
          "[grad] the result does not depend on {}. Hint: was the graph cut by detach() or NoGrad? audit() "
          "says where; {{.allow_unused = true}} gives zeros instead.",
          describe(x));
    grads.push_back(g.defined() ? g : zeros(x.shape()));
  }
  return grads;
}

}  // namespace headlight
