// The tape: how an op tells the graph what it computed and how to differentiate it.
#pragma once

#include <concepts>
#include <functional>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "headlight/autograd/anomaly.h"
#include "headlight/autograd/tensor.h"
#include "headlight/core/check.h"

namespace headlight {

// The derivative of an op with respect to one input: from the cotangent z̄ = ∂loss/∂output and the output
// z to the cotangent of the input. Written in tensor ops, so that it can itself be differentiated. The
// output is an argument because a closure that captured it would keep its own node alive for ever.
using Vjp = std::function<Tensor(const Tensor& cotangent, const Tensor& output)>;

// The derivatives with respect to all inputs at once, where they share work; undefined where the input
// needs none.
using JointVjp = std::function<std::vector<Tensor>(const Tensor& cotangent, const Tensor& output)>;

template <class F>
concept VjpFunction = std::invocable<F, const Tensor&, const Tensor&>;

// An input of a recorded op, and what it held then: see stamp_of.
struct Input {
  Tensor tensor;
  std::uint64_t stamp;
};

// A path that the graph lacks: what a constant was computed from. Kept inside an AuditScope only.
struct Cut {
  const char* how;  // "detach()", "NoGrad", or "" for an op on constants that come from a cut
  const char* op;
  std::vector<Tensor> inputs;
};

struct Node {
  Array value;
  std::string name;  // what people call it: "blocks.0.attn.W_Q"
  bool requires_grad = false;
  bool freed = false;  // a backward pass has consumed its closures
  const char* op = "leaf";
  std::uint64_t sequence;     // larger than that of every input: sorting by it is topological order
  std::uint64_t version = 0;  // how often the array of this leaf was handed out to be changed
  std::vector<Input> inputs;
  std::vector<Vjp> vjps;  // one per input, empty where the input needs no gradient; or
  JointVjp joint_vjp;
  Tensor grad;
  std::unique_ptr<Cut> cut;
  Node* next_retired = nullptr;  // see tensor.cpp: nodes are freed in a loop, not by recursion

  Node();
  ~Node();
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  // Drops inputs and closures, and with them whatever they kept alive.
  void release();
};

// Nodes alive in the whole program.
std::size_t live_nodes();

// Whether ops are being recorded on this thread.
bool recording();

// While one of these lives, ops on this thread are computed but not recorded.
class NoGrad {
 public:
  NoGrad();
  ~NoGrad();
  NoGrad(const NoGrad&) = delete;
  NoGrad& operator=(const NoGrad&) = delete;

 private:
  bool before_;
};

// Sets recording on or off for a scope; the backward pass uses it.
class RecordingScope {
 public:
  explicit RecordingScope(bool on);
  ~RecordingScope();
  RecordingScope(const RecordingScope&) = delete;
  RecordingScope& operator=(const RecordingScope&) = delete;

 private:
  bool before_;
};

// True when the result of an op on these inputs must be recorded.
bool must_record(std::span<const Tensor> inputs);

// A node for `value`, computed by `op` from `inputs`.
Tensor make_node(const char* op, std::span<const Tensor> inputs, Array value, std::vector<Vjp> vjps,
                 JointVjp joint);

// A constant for `value`, computed by `op` from `inputs`, which it forgets (unless an AuditScope asks).
Tensor make_constant(const char* op, std::span<const Tensor> inputs, Array value);

// The state of a tensor's numbers: its version, or inside an AnomalyScope a hash of them. A backward pass
// refuses an op whose input has another stamp than when it was recorded.
std::uint64_t stamp_of(const Tensor& x);
bool has_changed(const Input& input);

// Inside an AuditScope (audit.h): notes on a constant from which inputs, by which op, it came.
void trace_cut(const Tensor& constant, const char* how, const char* op, std::span<const Tensor> inputs);

// Records an op with one derivative per input. Those whose input needs no gradient are dropped on the
// spot, and what they captured with them.
//   return record("mul", {x, y}, kernels::mul(x.array(), y.array()),
//                 [y](const Tensor& g, const Tensor&) { return g * y; },
//                 [x](const Tensor& g, const Tensor&) { return g * x; });
template <VjpFunction... F>
Tensor record(const char* op, std::initializer_list<Tensor> inputs, Array value, F... vjp) {
  check(sizeof...(F) == inputs.size(), "[record] op '{}' has {} inputs but {} derivatives.", op,
        inputs.size(), sizeof...(F));
  const std::span<const Tensor> in(inputs.begin(), inputs.size());
  if (anomalies_watched()) watch_result(op, in, value);
  if (!must_record(in)) return make_constant(op, in, std::move(value));
  std::vector<Vjp> vjps;
  vjps.reserve(sizeof...(F));
  const Tensor* input = inputs.begin();
  ((vjps.push_back((input++)->requires_grad() ? Vjp(std::move(vjp)) : Vjp())), ...);
  return make_node(op, in, std::move(value), std::move(vjps), {});
}

// Records an op whose derivatives are computed together.
Tensor record_joint(const char* op, std::span<const Tensor> inputs, Array value, JointVjp joint);

// Those that are defined, in their order: the inputs of an op some of whose operands are optional.
std::vector<Tensor> defined(std::initializer_list<std::reference_wrapper<const Tensor>> operands);

// A hand-written backward pass, in plain arrays: the cotangents of all inputs.
using FusedVjp = std::function<std::vector<Tensor>(std::span<const Input> inputs, const Tensor& cotangent,
                                                   const Tensor& output)>;

// Records a fused op: `fused` is its backward pass and `reference` the same function composed of simple
// ops. With create_graph the derivative is taken through the reference, so fused ops have derivatives of
// every order.
Tensor record_fused(const char* op, std::span<const Tensor> inputs, Array value, FusedVjp fused,
                    std::function<Tensor(const std::vector<Tensor>&)> reference);

}  // namespace headlight
