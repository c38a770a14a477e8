// Paths that detach() or NoGrad cut from the graph. They are recorded for audit(), only inside an AuditScope.
#pragma once

#include <span>
#include <vector>

#include "headlight/autograd/tensor.h"

namespace headlight {

// The inputs that a constant was computed from.
struct Cut {
  const char* how;  // "detach()", "NoGrad", or "" for an op on constants that a cut has made
  const char* op;
  std::vector<Tensor> inputs;
};

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

// Inside an AuditScope: records the op and the inputs that made a constant.
void trace_cut(const Tensor& constant, const char* how, const char* op, std::span<const Tensor> inputs);

}  // namespace headlight
