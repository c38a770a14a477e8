// The keys and queries of the exercise's experiment.
#pragma once

#include "headlight/core/rng.h"
#include "headlight/ops/ops.h"

namespace headlight {

// 64 random keys of this width, (64,d_head), the same in every call.
inline Tensor keys_of(std::size_t d_head) {
  Rng rng(8);
  return randn({64, d_head}, rng);
}

// 4096 random queries, (4096,d_head).
inline Tensor queries_of(std::size_t d_head) {
  Rng rng(80);
  return randn({4096, d_head}, rng);
}

}  // namespace headlight
