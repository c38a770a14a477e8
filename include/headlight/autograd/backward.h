// Reverse-mode differentiation: one loop over the nodes, from the newest to the oldest.
#pragma once

#include <vector>

#include "headlight/autograd/tensor.h"

namespace headlight {

struct BackwardOptions {
  Tensor cotangent = {};  // ∂(what you want)/∂root, of root's shape; may be left out for a scalar root
  bool retain_graph = false;  // keep the graph for another pass; implied by create_graph
  bool create_graph = false;  // record the backward pass, so that gradients can be differentiated again
};

// Adds cotangentᵀ·∂root/∂leaf to the grad() of every leaf that requires a gradient. Frees the graph during
// the pass unless it is retained. Each gradient has its own array, so it may be changed in place. (With
// create_graph a leaf's grad() holds a graph that holds the leaf: call zero_grad() before dropping the leaf,
// or use grad() below.) Throws Error when root requires no gradient, when root is not a scalar and no
// cotangent is given, when shapes differ, when an earlier pass freed the graph, or when a leaf was changed
// (by an optimizer's step) after it got the gradient that the new one would be added to.
void backward(const Tensor& root, const BackwardOptions& options = {});

struct GradOptions {
  Tensor cotangent = {};
  bool retain_graph = false;
  bool create_graph = false;
  bool allow_unused = false;  // zeros for an input that root does not depend on, instead of an error
};

// Returns cotangentᵀ·∂root/∂input for each input, each in its own array. It changes no grad(), so several
// threads may differentiate graphs over the same parameters at once. Inputs may be leaves or results of ops.
// Throws Error as backward() does, and when root does not depend on an input.
std::vector<Tensor> grad(const Tensor& root, const std::vector<Tensor>& inputs,
                         const GradOptions& options = {});

}  // namespace headlight
