// Matrix products.
#pragma once

#include "headlight/autograd/tensor.h"

namespace headlight {

struct MatmulOptions {
  bool transpose_x = false;  // exchange the last two axes of x, without copying
  bool transpose_y = false;
};

// z = x·y over the last two axes, (…,n,k) x (…,k,m) → (…,n,m); the axes before them broadcast. A vector
// counts as a row on the left and as a column on the right, and the result lacks its axis.
Tensor matmul(const Tensor& x, const Tensor& y, const MatmulOptions& options = {});

// y = x·W + b         x (…,in), W (in,out), b (out) or undefined → (…,out)
Tensor linear(const Tensor& x, const Tensor& W, const Tensor& b = {});

// The same, composed of simple ops.
namespace reference {
Tensor linear(const Tensor& x, const Tensor& W, const Tensor& b = {});
}  // namespace reference

}  // namespace headlight
