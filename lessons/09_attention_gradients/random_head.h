// The head of the exercise's experiment.
#pragma once

#include "headlight/core/rng.h"
#include "headlight/ops/ops.h"

namespace headlight {

struct RandomHead {
  Tensor Q, K, V, dZ;  // (64,16) each
};

// Random numbers with mean 0 and variance 1, the same in every call.
inline RandomHead random_head() {
  Rng rng(9);
  const Tensor Q = randn({64, 16}, rng), K = randn({64, 16}, rng), V = randn({64, 16}, rng);
  return {Q, K, V, randn({64, 16}, rng)};
}

}  // namespace headlight
