// Convolution along a sequence.
#pragma once

#include "headlight/autograd/tensor.h"

namespace headlight {

struct Conv1dOptions {
  std::size_t stride = 1;    // from one window to the next
  std::size_t padding = 0;   // zeros at each end
  std::size_t dilation = 1;  // from one place of a window to the next
};

// y_t = Σ_k x_{t·stride + k·dilation - padding} W_k + b: the same map of every window, zeros beyond the ends.
//   x (…,n,in), W (width,in,out), b (out) or undefined → (…,m,out)
//   m = (n + 2·padding - dilation·(width-1) - 1)/stride + 1, rounded down
// Positions come before channels here, as in a sequence of activations; PyTorch's conv1d takes x (…,in,n) and
// W (out,in,width). Throws Error when shapes do not fit or the window is longer than the padded sequence.
Tensor conv1d(const Tensor& x, const Tensor& W, const Tensor& b = {}, const Conv1dOptions& options = {});

}  // namespace headlight
