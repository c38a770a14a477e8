// Arithmetic on rows: the hot loops of softmax, cross-entropy and attention. A row is `width`
// contiguous numbers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "headlight/core/real.h"
#include "headlight/core/row_sums.h"

namespace headlight::kernels {

// y = e^(x - max x) / Σ e^(x - max x) over one row, in place or not. A row that is -∞ throughout (all
// masked) gives zeros, not NaN.
void softmax_row(const Real* x, Real* y, std::size_t width);

// x̄ = y ⊙ (ȳ - Σ ȳ⊙y)  for one row of a softmax y. `dx` may be `dy`.
void softmax_row_vjp(const Real* y, const Real* dy, Real* dx, std::size_t width);

// Σ e^x over one row as e^max (1 + others). Digits are lost neither where one number outweighs the others
// (the sum is then 1 to a float) nor where the numbers are large (log Σ e^x is then max to a float). A row
// that is -∞ throughout has max = 0 and others = -1.
struct SoftmaxSum {
  Real max, others;
};
SoftmaxSum softmax_sum_row(const Real* x, std::size_t width);

// -log(e^x / Σ e^x), the loss of a target with the logit x.
Real minus_log_softmax(const SoftmaxSum& sum, Real x);

// The largest number of a row; -∞ for an empty row. A NaN may be returned or skipped.
Real max_row(const Real* x, std::size_t width);

// y = weight·e^(x - shift) over one row, in place or not, for x ≤ shift; 0 instead of e^(x - shift) < 2^-126.
void exp_row(const Real* x, Real shift, Real weight, Real* y, std::size_t width);

// y = a·x + (1-a)·z over one row, in place or not.
void mix_row(const Real* x, const Real* z, Real a, Real* y, std::size_t width);

// Rotates pairs of the coordinates of each of `heads` heads by a position's angles (rotary positions, Su et
// al. 2021, in the halves form): with h = d_head/2, (x_i, x_{i+h}) ↦ (x_i c_i - x_{i+h} s_i, x_{i+h} c_i +
// x_i s_i). `sign` -1 rotates back, which is the transpose and so the vjp. x and y (heads·d_head), cos and
// sin (d_head/2).
void rotate_heads(const Real* x, const Real* cos, const Real* sin, Real sign, Real* y, std::size_t heads,
                  std::size_t d_head);

// Index of the largest element; the first one if several are equal.
std::size_t argmax_row(const Real* x, std::size_t width);

}  // namespace headlight::kernels
