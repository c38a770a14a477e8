// Sums, means, variances, products and maxima over axes. The axes are one number, sum(x, -1), or a list,
// sum(x, {0, 2}); negative ones count from the end, and an empty list means all axes. keep_dims keeps the
// axes with length 1.
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

// √var, PyTorch's std (whose correction is 1 unless another is given). Where it is 0 its derivative is taken
// as 0.
Tensor stddev(const Tensor& x, const Axes& axes = {}, bool keep_dims = false, int correction = 0);

// √Σx², the Euclidean norm, also where the squares are out of range. Where it is 0 its derivative is taken as
// 0.
Tensor norm(const Tensor& x, const Axes& axes = {}, bool keep_dims = false);

// The product of the elements, 1 over no numbers. The gradient is right for zeros too.
Tensor prod(const Tensor& x, const Axes& axes = {}, bool keep_dims = false);

// The largest element, and the smallest; equal ones share the gradient evenly. Throw Error over no numbers.
// (PyTorch calls them amax and amin; argmax in sort.h says where they stand.)
Tensor max(const Tensor& x, const Axes& axes = {}, bool keep_dims = false);
Tensor min(const Tensor& x, const Axes& axes = {}, bool keep_dims = false);

// log Σ e^x without overflow; its gradient is the softmax. Numbers that are -∞ throughout give -∞ and the
// gradient 0. Throws Error over no numbers.
Tensor logsumexp(const Tensor& x, const Axes& axes = {}, bool keep_dims = false);

// The running sum along one axis: element i is x₀ + … + xᵢ.
Tensor cumsum(const Tensor& x, int axis = -1);

}  // namespace headlight
