// What the backward pass of a layer norm returns.
#pragma once

#include "headlight/autograd/tensor.h"

namespace headlight {

struct LayerNormGradients {
  Tensor x;     // the shape of the input
  Tensor w, b;  // (d)
};

}  // namespace headlight
