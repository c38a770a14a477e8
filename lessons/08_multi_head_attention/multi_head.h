// The weights of a layer of attention with several heads.
#pragma once

#include "headlight/autograd/tensor.h"

namespace headlight {

// All of shape (d,d). Of W_Q, W_K and W_V, head i owns the columns i·d_head … (i+1)·d_head-1; of W_O it owns
// these rows.
struct MultiHeadWeights {
  Tensor W_Q, W_K, W_V, W_O;
};

}  // namespace headlight
