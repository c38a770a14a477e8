#include "headlight/autograd/tensor.h"
#include "headlight/core/rng.h"

namespace headlight {

Tensor randn(const Shape& shape, Rng& rng, double stddev) {
  return Tensor(rng.normal_array(shape, 0, stddev));
}

}  // namespace headlight
