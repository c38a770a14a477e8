// Sums over rows. A row is `width` contiguous numbers.
#pragma once

#include <cstddef>

#include "headlight/core/real.h"

namespace headlight::kernels {

// Sum of a row, added in sixteen lanes and in chunks: fast, and accurate for rows of millions.
Real sum_row(const Real* x, std::size_t width);

// Σ x⊙y over one row.
Real dot_row(const Real* x, const Real* y, std::size_t width);

// Σ x⊙x over one row, in double precision.
double sum_of_squares_row(const Real* x, std::size_t width);

}  // namespace headlight::kernels
