// The graph tells on itself: which parameters get no gradient, or a wrong one, and where it was lost.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "headlight/autograd/cut.h"
#include "headlight/autograd/tensor.h"

namespace headlight::inline HEADLIGHT_PRECISION {

enum class AuditFault {
  unreachable,    // the loss does not depend on the parameter
  zero_gradient,  // its gradient is exactly 0 in every element
  not_finite,     // there is a NaN or an infinity in its gradient
  accumulated,  // grad() holds something else than this loss's gradient: an earlier backward() left it there
  dead_relu,    // units of a relu that are 0 for every input: nothing behind them learns
};

struct AuditFinding {
  AuditFault fault;
  std::string parameter;  // its name; the op for dead_relu
  std::string where;      // the op that cut the path, or made the gradient so; may be empty
  std::string message;    // one sentence
};

struct AuditReport {
  std::size_t parameters = 0;  // how many were looked at
  std::vector<AuditFinding> findings;

  bool ok() const { return findings.empty(); }
  bool has(AuditFault fault, const std::string& parameter) const;
};

// A line for each finding, or that there is none.
std::string to_string(const AuditReport& report);

// Differentiates a loss that has not been differentiated yet (or whose graph was retained) and reports what
// is wrong with the gradients of the parameters. Touches no grad() and keeps the graph. Names where a path
// was cut if the loss was computed inside an AuditScope. Throws Error as grad() does: a loss that is no
// scalar, that needs no gradient at all, or whose graph was freed.
AuditReport audit(const Tensor& loss, const NamedTensors& parameters);

// The same of a loss that is computed here, inside an AuditScope. A loss that needs no gradient at all is
// reported, not thrown.
//   audit([&] { return cross_entropy(model(tokens), targets); }, nn::named_parameters(model))
AuditReport audit(const std::function<Tensor()>& loss, const NamedTensors& parameters);

}  // namespace headlight::inline HEADLIGHT_PRECISION
