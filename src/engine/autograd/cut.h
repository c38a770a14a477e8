// Paths that detach() or NoGrad cut from the graph. An AuditScope keeps them for audit().
#pragma once

#include <vector>

#include "headlight/autograd/node.h"

namespace headlight {

// The inputs that a constant was computed from.
struct Cut : Note {
  const char* how;  // "detach()", "NoGrad", or "" for an op on constants that a cut has made
  const char* op;
  std::vector<Tensor> inputs;
};

// The cut that made this constant; null if none did, or if no AuditScope existed at that time.
const Cut* cut_of(const Tensor& x);

}  // namespace headlight
