// Sums, means, variances and maxima over axes. An empty list of axes means all axes; keep_dims keeps them
// with length 1.
#pragma once

#include "headlight/autograd/tensor.h"

namespace headlight {

// Σ x over the axes, and Σ x / n with their number of elements n. Throws Error for a mean over no numbers.
Tensor sum(const Tensor& x, const Axes& axes = {}, bool keep_dims = false);
Tensor mean(const Tensor& x, const Axes& axes = {}, bool keep_dims = false);

// The mean of (x - y)², a loss for numbers. Throws Error when the shapes differ: x - y would broadcast (n)
// and (n,1) to (n,n), every prediction against every target.
Tensor mean_squared_error(const Tensor& x, const Tensor& y);

// x - mean(x), which adds up to 0 also where a mean in floats is off: around 10,000 by a thousandth. Throws
// Error over no numbers.
Tensor centered(const Tensor& x, const Axes& axes = {});

// Σ (x - mean)² / (n - correction). Correction 0 is the variance of the numbers themselves, 1 the
// unbiased estimate from a sample. Throws Error when n ≤ correction.
Tensor var(const Tensor& x, const Axes& axes = {}, bool keep_dims = false, int correction = 0);

// The largest element; equal largest elements share the gradient evenly. Throws Error over an empty axis.
Tensor max(const Tensor& x, const Axes& axes = {}, bool keep_dims = false);

}  // namespace headlight
