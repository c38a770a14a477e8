// Paths that the graph lacks, because detach() or NoGrad cut them: noted for audit(), inside a scope only.
#pragma once

#include <span>
#include <vector>

#include "headlight/autograd/tensor.h"

namespace headlight::inline HEADLIGHT_PRECISION {

// What a constant was computed from.
struct Cut {
  const char* how;  // "detach()", "NoGrad", or "" for an op on constants that come from a cut
  const char* op;
  std::vector<Tensor> inputs;
};

// While one of these lives, what is cut from the graph on this thread (by detach(), or an op under NoGrad)
// remembers what it came from, for audit(). It keeps that alive: for a look, not for training.
class AuditScope {
 public:
  AuditScope();
  ~AuditScope();
  AuditScope(const AuditScope&) = delete;
  AuditScope& operator=(const AuditScope&) = delete;

 private:
  bool before_;
};

// Inside an AuditScope: notes on a constant from which inputs, by which op, it came.
void trace_cut(const Tensor& constant, const char* how, const char* op, std::span<const Tensor> inputs);

}  // namespace headlight::inline HEADLIGHT_PRECISION
