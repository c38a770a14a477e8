// Whole derivatives of a function of one tensor: its Jacobian and its Hessian, and a derivative in one
// direction.
#pragma once

#include <functional>

#include "headlight/autograd/tensor.h"

namespace headlight {

// f is called once, with a new leaf that has x's numbers; x may be a constant or a parameter. The results are
// constants, and no grad() changes. NoGrad around the call does not matter. All three throw Error when f
// is empty, when x or f(x) is undefined, and when f(x) does not depend on its argument.
using TensorFunction = std::function<Tensor(const Tensor&)>;

// J = ∂f/∂x of shape (f(x)'s shape, x's shape): J[i,j] = ∂f(x)[i]/∂x[j]. One backward pass for each number of
// f(x). For vᵀJ, one pass is enough: grad(f(x), {x}, {.cotangent = v}).
Tensor jacobian(const TensorFunction& f, const Tensor& x);

// H = ∂²f/∂x∂x of shape (x's shape, x's shape): H[i,j] = ∂²f(x)/∂x[i]∂x[j]. One backward pass for each number
// of x, through the graph of the first (create_graph). Throws Error when f(x) has more than one number.
Tensor hessian(const TensorFunction& f, const Tensor& x);

// J v of f(x)'s shape: the derivative of f in the direction v, (f(x + h v) - f(x)) / h for h → 0. Two
// backward passes: uᵀJ is linear in u, and its derivative by u in the direction v is J v (Townsend, "A new
// trick for calculating Jacobian vector products", 2017). Throws Error when v has another shape than x.
Tensor jvp(const TensorFunction& f, const Tensor& x, const Tensor& v);

}  // namespace headlight
