#include "headlight/ops/convolution.h"

#include <vector>

#include "headlight/core/check.h"
#include "headlight/ops/matmul.h"
#include "headlight/ops/rearrange.h"

namespace headlight {

// Place k of all windows is a slice; side by side they are rows, and W is one matrix for all of them.
Tensor conv1d(const Tensor& x, const Tensor& W, const Tensor& b, const Conv1dOptions& options) {
  check(x.dim() >= 2 && W.dim() == 3 && x.length(-1) == W.length(1),
        "[conv1d] expected x (…,n,in) and W (width,in,out), got {} and {}.", x.shape(), W.shape());
  check(options.stride > 0 && options.dilation > 0,
        "[conv1d] expected a stride and a dilation of at least 1, got {} and {}.", options.stride,
        options.dilation);
  check(W.length(0) > 0, "[conv1d] expected windows of at least one place, got W {}.", W.shape());
  const Tensor padded = options.padding > 0 ? pad(x, -2, options.padding, options.padding) : x;
  const std::size_t reach = options.dilation * (W.length(0) - 1), n = padded.length(-2);
  check(n > reach, "[conv1d] a window of {} places does not fit into {}, padding included.", reach + 1, n);
  std::vector<Tensor> places;
  for (std::size_t k = 0; k < W.length(0); ++k) {
    const std::size_t first = k * options.dilation;
    places.push_back(slice(padded, -2, static_cast<int>(first), static_cast<int>(n - reach + first),
                           static_cast<int>(options.stride)));
  }
  return linear(concat(places, -1), reshape_to(W, {W.length(0) * W.length(1), W.length(2)}), b);
}

}  // namespace headlight
