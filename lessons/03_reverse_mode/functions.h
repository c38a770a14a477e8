// The two kinds of functions that the exercise's gradient check is given.
#pragma once

#include <functional>

#include "headlight/autograd/tensor.h"

// The forward pass: x → f(x).
using Forward = std::function<headlight::Tensor(const headlight::Tensor& x)>;

// The backward pass, a vjp: the cotangent of f(x), and x → the cotangent of x.
using Backward = std::function<headlight::Tensor(const headlight::Tensor& g, const headlight::Tensor& x)>;
