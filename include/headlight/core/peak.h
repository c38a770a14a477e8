// What this machine can do at most, for the benchmark.
#pragma once

#include <cstddef>

namespace headlight::kernels {

// Takes `rounds` rounds of multiply-adds that stay in registers and do not wait for one another. Returns the
// number of additions and multiplications.
double multiply_adds(std::size_t rounds);

}  // namespace headlight::kernels
