// Dropout of attention patterns whose factors are computed where they are needed, and never stored.
#pragma once

#include <cstddef>
#include <cstdint>

#include "headlight/core/real.h"

namespace headlight::kernels {

// Each weight of a pattern is multiplied by 0 with probability p, else by 1/(1-p), for 0 ≤ p < 1. The factor
// is a hash of the seed and the weight's place, so it is the same for every division into tiles, on every
// thread and machine, and in the backward pass.
struct PatternDropout {
  double p = 0;  // 0: none
  std::uint64_t seed = 0;
};

// The factors of keys first … first+count-1 for sequence b, query head h and the query at `position`.
void dropout_row(const PatternDropout& dropout, std::size_t b, std::size_t h, std::size_t position,
                 std::size_t first, std::size_t count, Real* factors);

}  // namespace headlight::kernels
