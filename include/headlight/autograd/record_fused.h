// How an op with a backward pass written by hand is recorded: a fused op.
#pragma once

#include <functional>
#include <initializer_list>
#include <span>
#include <vector>

#include "headlight/autograd/node.h"

namespace headlight::inline HEADLIGHT_PRECISION {

// A hand-written backward pass, in plain arrays: the cotangents of all inputs.
using FusedVjp = std::function<std::vector<Tensor>(std::span<const Input> inputs, const Tensor& cotangent,
                                                   const Tensor& output)>;

// Records a fused op: `fused` is its backward pass and `reference` the same function composed of simple
// ops. With create_graph the derivative is taken through the reference, so fused ops have derivatives of
// every order.
Tensor record_fused(const char* op, std::span<const Tensor> inputs, Array value, FusedVjp fused,
                    std::function<Tensor(const std::vector<Tensor>&)> reference);

// Those that are defined, in their order: the inputs of an op some of whose operands are optional.
std::vector<Tensor> defined(std::initializer_list<std::reference_wrapper<const Tensor>> operands);

}  // namespace headlight::inline HEADLIGHT_PRECISION
