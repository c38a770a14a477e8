#include "headlight/ops/dropout.h"

#include "headlight/autograd/record.h"
#include "headlight/core/kernels.h"
#include "headlight/ops/arithmetic.h"

namespace headlight {

// dropout  y = x ⊙ mask, mask 0 or 1/(1-p)     x̄ = ȳ ⊙ mask
Tensor dropout(const Tensor& x, double p, Rng& rng) {
  check(p >= 0 && p < 1, "[dropout] expected a probability in [0, 1), got {}.", p);
  if (p == 0) return x;
  Array drawn = empty_array(x.shape());
  for (Real& m : drawn) m = rng.uniform() < p ? 0 : static_cast<Real>(1 / (1 - p));
  const Tensor mask(std::move(drawn));
  return record("dropout", {x}, kernels::mul(x.array(), mask.array()),
                [mask](const Tensor& g, const Tensor&) { return g * mask; });
}

}  // namespace headlight
