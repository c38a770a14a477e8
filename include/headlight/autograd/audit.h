// Audit: finds parameters that get no gradient, or a wrong one, and where in the graph the gradient was lost.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "headlight/autograd/tensor.h"

namespace headlight {

enum class AuditFault {
  unreachable,    // the loss does not depend on the parameter
  zero_gradient,  // its gradient is exactly 0 in every element
  not_finite,     // there is a NaN or an infinity in its gradient
  accumulated,    // grad() differs from this loss's gradient: an earlier backward() added to it
  not_listed,     // the loss reads a parameter that is not among those given: visit() may have forgotten it
  dead_relu,      // units of a relu are 0 for every input, so nothing before them learns
};

struct AuditFinding {
  AuditFault fault;
  std::string parameter;  // its name, or its shape if it has none; the op for dead_relu
  std::string where;      // the op that cut the path or spoiled the gradient; may be empty
  std::string message;    // one sentence
};

struct AuditReport {
  std::size_t parameters = 0;  // number of parameters checked
  std::vector<AuditFinding> findings;

  bool ok() const { return findings.empty(); }
  bool has(AuditFault fault, const std::string& parameter) const;
};

// One line per finding, or one line that says that nothing was found.
std::string to_string(const AuditReport& report);

// The leaves that a tensor was computed from, that require a gradient and are not among `parameters`.
std::vector<Tensor> parameters_besides(const Tensor& root, const std::vector<Tensor>& parameters);

// While an AuditScope exists, tensors that detach() or an op under NoGrad cut from the graph on this thread
// keep their inputs, for audit(). The inputs stay alive, so use a scope for an audit and not for training.
class AuditScope {
 public:
  AuditScope();
  ~AuditScope();
  AuditScope(const AuditScope&) = delete;
  AuditScope& operator=(const AuditScope&) = delete;

 private:
  bool before_;
};

// Differentiates a loss and reports faults in the gradients of the parameters. Changes no grad() and keeps
// the graph. Names the op that cut a path if the loss was computed inside an AuditScope. Throws Error as
// grad() does: for a loss that is not a scalar or requires no gradient, or whose graph was freed.
AuditReport audit(const Tensor& loss, const NamedTensors& parameters);

// The same for a loss that audit() computes inside an AuditScope. A loss that requires no gradient is
// reported, not thrown.
//   audit([&] { return cross_entropy(model(tokens), targets); }, nn::named_parameters(model))
AuditReport audit(const std::function<Tensor()>& loss, const NamedTensors& parameters);

}  // namespace headlight
