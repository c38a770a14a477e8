// How the learning rate moves, and how gradients are kept in bounds.
#pragma once

#include <cstdint>
#include <vector>

#include "headlight/autograd/tensor.h"

namespace headlight::optim {

// Linear warm-up over `warmup` steps, then constant, or a half cosine down to final_fraction of the peak at
// step `total` (Loshchilov and Hutter 2016, without restarts).
struct Schedule {
  double peak = 1e-3;
  std::int64_t warmup = 0;
  std::int64_t total = 0;  // 0: constant after the warm-up
  double final_fraction = 0;

  double operator()(std::int64_t step) const;  // step counts from 1
};

// √(Σ g²) over n numbers, added in double precision in chunks of fixed size, never by threads.
double global_norm(const Real* gradients, std::size_t n);

// Scales the gradients so that their global norm is at most max_norm; returns the norm before (Pascanu et al.
// 2013). A norm that is not finite is returned as it is and changes nothing.
double clip_by_global_norm(std::vector<Tensor> parameters, double max_norm);
double clip_by_global_norm(Real* gradients, std::size_t n, double max_norm);

}  // namespace headlight::optim
