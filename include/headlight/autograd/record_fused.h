// Records fused ops: ops with a hand-written backward pass.
#pragma once

#include <functional>
#include <initializer_list>
#include <span>
#include <vector>

#include "headlight/autograd/node.h"

namespace headlight {

// A hand-written backward pass on plain arrays. It returns the cotangents of all inputs.
using FusedVjp = std::function<std::vector<Tensor>(std::span<const Input> inputs, const Tensor& cotangent,
                                                   const Tensor& output)>;

// Records a fused op: `fused` is its backward pass and `reference` the same function composed of simple
// ops. With create_graph the derivative is taken through the reference, so fused ops have derivatives of
// every order.
Tensor record_fused(const char* op, std::span<const Tensor> inputs, Array value, FusedVjp fused,
                    std::function<Tensor(const std::vector<Tensor>&)> reference);

// The defined tensors, in their order: the inputs of an op with optional operands.
std::vector<Tensor> defined(std::initializer_list<std::reference_wrapper<const Tensor>> operands);

}  // namespace headlight
