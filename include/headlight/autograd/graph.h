// Reads the recorded graph.
#pragma once

#include <vector>

#include "headlight/autograd/tensor.h"

namespace headlight {

// Root and all tensors that root was computed from, leaves and constants included. The oldest comes first, so
// inputs precede results. Throws Error when a backward pass freed the graph.
std::vector<Tensor> graph_of(const Tensor& root);

}  // namespace headlight
