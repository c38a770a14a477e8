// The recorded graph, to be read.
#pragma once

#include <vector>

#include "headlight/autograd/tensor.h"

namespace headlight::inline HEADLIGHT_PRECISION {

// Everything that root was computed from, and root: leaves and constants too, oldest first, so that inputs
// come before what is made of them. Throws Error when the graph was freed by a backward pass.
std::vector<Tensor> graph_of(const Tensor& root);

}  // namespace headlight::inline HEADLIGHT_PRECISION
