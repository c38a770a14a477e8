// Checks a derivative against central differences.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "headlight/autograd/tensor.h"

namespace headlight {

struct GradcheckOptions {
  double step = kDouble ? 1e-5 : 1e-2;       // h in (f(x+h) - f(x-h)) / 2h
  double tolerance = kDouble ? 1e-6 : 2e-2;  // on the error relative to the largest element of that gradient
  std::uint64_t seed = 0;                    // of the random cotangent
};

// The worst element found.
struct GradcheckReport {
  bool ok = false;
  std::string op;
  std::size_t input = 0;
  std::string element;  // "(1,2)"
  double analytic = 0, numeric = 0, error = 0;
  std::string message;  // one line: what was compared, and the verdict
};

// Compares the vjp of f at `inputs` with central differences of Σ u ⊙ f(inputs), u a random cotangent.
// (With u = 1 a softmax has the gradient 0, because its rows sum to 1, so many wrong vjps would pass.)
// Checks each element of every input that is a leaf requiring a gradient; skips constants. A gradient that is
// zero everywhere fails, because comparing zeros checks nothing.
GradcheckReport gradcheck(const std::string& op, const std::function<Tensor(const std::vector<Tensor>&)>& f,
                          const std::vector<Tensor>& inputs, const GradcheckOptions& options = {});

// The same for second derivatives: checks the gradient of vᵀ∇(uᵀf), v and u random, which goes through
// create_graph. A linear op has no second derivative: the report is then ok, and its message says that there
// was nothing to check.
GradcheckReport gradgradcheck(const std::string& op,
                              const std::function<Tensor(const std::vector<Tensor>&)>& f,
                              const std::vector<Tensor>& inputs, const GradcheckOptions& options = {});

}  // namespace headlight
