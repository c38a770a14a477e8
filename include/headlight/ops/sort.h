// Order along an axis: sorting, and where the largest and the smallest numbers stand. A NaN counts as larger
// than every number, as in PyTorch, and of equal numbers the one that comes first stays first.
#pragma once

#include "headlight/autograd/tensor.h"

namespace headlight {

// The place of the largest, or smallest, number along an axis, which the result lacks. A NaN is both. Throw
// Error for an empty axis. argmax(flatten(x)) is the place among all numbers, as PyTorch's argmax(x).
IntArray argmax(const Tensor& x, int axis = -1);
IntArray argmin(const Tensor& x, int axis = -1);

// The places along an axis in the order of their numbers; of x's shape.
IntArray argsort(const Tensor& x, int axis = -1, bool descending = false);

// Numbers in order, and their places before.
struct Sorted {
  Tensor values;     // the gradient goes back to the places that the values come from
  IntArray indices;  // values = gather(x, indices, axis)
};
Sorted sort(const Tensor& x, int axis = -1, bool descending = false);

// The k largest numbers along an axis, the largest first, or the k smallest, the smallest first. Throws Error
// when there are fewer.
Sorted topk(const Tensor& x, std::size_t k, int axis = -1, bool largest = true);

}  // namespace headlight
