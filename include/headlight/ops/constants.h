// Constants: tensors made of sizes and indices. zeros, ones, full and arange are in autograd/tensor.h.
#pragma once

#include "headlight/autograd/tensor.h"

namespace headlight {

// Zeros or ones of x's shape.
Tensor zeros_like(const Tensor& x);
Tensor ones_like(const Tensor& x);

// 1 on the diagonal, else 0: (rows,columns), square without columns.
Tensor eye(std::size_t rows);
Tensor eye(std::size_t rows, std::size_t columns);

// `count` numbers from `first` to `last`, both included, at equal distances. One number is `first`.
Tensor linspace(double first, double last, std::size_t count);

// indices (…) → (…,classes): 1 at the index, else 0. Throws Error for an index outside of 0 … classes-1.
Tensor one_hot(const IntArray& indices, std::size_t classes);

}  // namespace headlight
