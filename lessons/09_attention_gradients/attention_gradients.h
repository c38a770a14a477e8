// What the parts of the exercise take and return.
#pragma once

#include "headlight/autograd/tensor.h"

namespace headlight {

struct ProjectionGradients {
  Tensor dW_Q, dW_K, dW_V;  // the shapes of the weights
  Tensor dX;                // the shape of X
};

struct TileGradients {
  Tensor dV;  // of the values of this tile
  Tensor dQ;  // what this tile adds to dQ
  Tensor dK;  // of the keys of this tile
};

struct AttentionWeights {
  Tensor W_Q, W_K, W_V, W_O;  // (d,d) each; head h has columns h·d/H … of W_Q, W_K, W_V and these rows of W_O
};

struct AttentionGradients {
  Tensor dW_O, dW_Q, dW_K, dW_V;  // in the order of the ledger
  Tensor dX;
};

}  // namespace headlight
