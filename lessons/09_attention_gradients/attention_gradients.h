// What the parts of the exercise take and return.
#pragma once

#include "headlight/autograd/tensor.h"

namespace headlight {

struct GatedGradients {
  Tensor dV, dP, dG;  // the shapes of V, P and G
};

struct SinkGradients {
  Tensor dS;     // the shape of S
  Tensor dsink;  // one number
};

struct TemperedGradients {
  Tensor dQ, dK;  // the shapes of Q and K
  Tensor dt;      // (H,1,1)
  Tensor dB;      // (n,m)
};

struct MemoryGradients {
  Tensor dW_Q, dW_KV;  // the shapes of the weights
  Tensor dX;           // (B,n,d)
  Tensor dM;           // (m,d)
};

struct TileGradients {
  Tensor dV;  // of the values of this tile
  Tensor dQ;  // what this tile adds to dQ
  Tensor dK;  // of the keys of this tile
};

struct MultiQueryWeights {
  Tensor W_Q;       // (d,d): head h has the columns h·d/H …
  Tensor W_K, W_V;  // (d,d/H): all heads share them
  Tensor W_O;       // (d,d): head h has the rows h·d/H …
};

struct AttentionGradients {
  Tensor dW_O, dW_Q, dW_K, dW_V;  // in the order of the ledger
  Tensor dX;
};

}  // namespace headlight
