// Layer norm and RMS norm of blocks: rows of `width` contiguous numbers, one after another.
#pragma once

#include <cstddef>

#include "headlight/core/real.h"

namespace headlight::kernels {

// y = (x - mean)·rstd·w + b for each row, rstd = 1/√(variance + eps); w and b may be null. Keeps each
// row's mean and rstd for the backward pass. The mean is relative to the row's first number: a float holds
// that exactly enough for rows like 10000, 10000.001, …
void layer_norm_rows(const Real* x, const Real* w, const Real* b, Real eps, Real* y, Real* mean, Real* rstd,
                     std::size_t rows, std::size_t width);

// With x̂ = (x - mean)·rstd and t = ȳ ⊙ w:  x̄ = rstd·(t - mean(t) - x̂·mean(t ⊙ x̂)),
// w̄ += Σ_rows ȳ ⊙ x̂,  b̄ += Σ_rows ȳ. dx, dw and db may be null when they are not wanted.
void layer_norm_rows_vjp(const Real* x, const Real* w, const Real* mean, const Real* rstd, const Real* dy,
                         Real* dx, Real* dw, Real* db, std::size_t rows, std::size_t width);

// y = x·r·w for each row, r = 1/√(mean x² + eps); w may be null. Keeps each row's r for the backward pass.
void rms_norm_rows(const Real* x, const Real* w, Real eps, Real* y, Real* r, std::size_t rows,
                   std::size_t width);

// With x̂ = x·r and t = ȳ ⊙ w:  x̄ = r·(t - x̂·mean(t ⊙ x̂)),  w̄ += Σ_rows ȳ ⊙ x̂. dx and dw may be null when
// they are not wanted.
void rms_norm_rows_vjp(const Real* x, const Real* w, const Real* r, const Real* dy, Real* dx, Real* dw,
                       std::size_t rows, std::size_t width);

}  // namespace headlight::kernels
