// Reverse-mode differentiation: one loop over the nodes, newest first.
#pragma once

#include <vector>

#include "headlight/autograd/tensor.h"

namespace headlight::inline HEADLIGHT_PRECISION {

struct BackwardOptions {
  Tensor cotangent = {};  // ∂(what you want)/∂root, of root's shape; may be left out for a scalar root
  bool retain_graph = false;  // keep the graph for another pass; implied by create_graph
  bool create_graph = false;  // record the backward pass, so that gradients can be differentiated again
};

// (With create_graph a leaf's grad() holds a graph that holds the leaf: zero_grad() it before letting go, or
// use grad() below.) Adds cotangentᵀ·∂root/∂leaf to the grad() of every leaf that requires a gradient. Frees
// the graph as it goes unless it is retained. A gradient shares its numbers with no other, nor with the
// cotangent, so it may be changed in place. Throws Error when root needs no gradient, when it is not a
// scalar and no cotangent is given, when shapes differ, or when the graph was freed by an earlier pass.
void backward(const Tensor& root, const BackwardOptions& options = {});

struct GradOptions {
  Tensor cotangent = {};
  bool retain_graph = false;
  bool create_graph = false;
  bool allow_unused = false;  // zeros for an input that root does not depend on, instead of an error
};

// cotangentᵀ·∂root/∂input for each input, each an array of its own, touching no grad(): several threads may
// differentiate graphs over the same parameters at once. Inputs may be leaves or results of ops. Throws Error
// as backward() does, and when root does not depend on an input.
std::vector<Tensor> grad(const Tensor& root, const std::vector<Tensor>& inputs,
                         const GradOptions& options = {});

}  // namespace headlight::inline HEADLIGHT_PRECISION
