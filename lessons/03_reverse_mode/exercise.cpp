// Exercise 3: write the backward pass of four ops, and a check that finds wrong ones.
//
// g is always the cotangent of an op's result and has the result's shape. A vjp returns the cotangent of each
// input, of the shape of that input. What you need, for tensors a and b:
//   a + b, a - b, a * b      number by number, with broadcasting
//   matmul(a, b), transpose(a)
//   sum(a), sum(a, {1})      the sum of all numbers, or along axis 1; sum(a, {1}, true) keeps the axis with
//                            length 1. Axis -1 is the last.
//   sum_to(a, shape)         what broadcasting repeated, summed back (lesson 1)
//   broadcast_to(a, shape), reshape_to(a, shape)
#include "exercise.h"
#include "functions.h"

// Part 1 ★  mul_vjp
// z = x * y, number by number. The shapes of x and y may differ and broadcast to the shape of z.
// Return the cotangents of x and of y, in this order: return {a, b};
// For x = [[1, 2], [3, 4]], y = [10, 20] and g = [[1, 1], [1, 2]]:
//   the first is [[10, 20], [10, 40]], the second [4, 10]
std::pair<Tensor, Tensor> mul_vjp(const Tensor& g, const Tensor& x, const Tensor& y) { todo(); }

// Part 2 ★  sum_vjp
// y = sum(x, {axis}): the sum along one axis, which is gone from the result. For x of shape (2,3) and axis 1,
// y and g have the shape (2). Return the cotangent of x. Of x you need the shape alone.
// For the shape (2,3), axis 1 and g = [5, 7]:
//   it is [[5, 5, 5], [7, 7, 7]]
Tensor sum_vjp(const Tensor& g, const Shape& shape, std::size_t axis) { todo(); }

// Part 3 ★★  matmul_vjp
// Y = matmul(X, W), with X (n,k), W (k,m) and Y (n,m). Return the cotangents of
// X and of W.
// For X = [[1, 2], [3, 4]], W = [[1], [-1]] and g = [[1], [10]]:
//   the first is [[1, -1], [10, -10]], the second [[31], [42]]
std::pair<Tensor, Tensor> matmul_vjp(const Tensor& g, const Tensor& X, const Tensor& W) { todo(); }

// Part 4 ★★  softmax_vjp
// y = softmax(x): each row, which is the last axis, is a softmax of its own. There may be any number of axes
// before it. You are given the result y. Return the cotangent of x.
// For y = [0.25, 0.75] and g = [1, 5]:
//   it is [-0.75, 0.75]
Tensor softmax_vjp(const Tensor& g, const Tensor& y) { todo(); }

// Part 5 ★★  measured_vjp
// What a vjp of f should return for the cotangent u, but measured: the slope of Σ u * f(x) by each number of
// x, by central differences with h = 1e-5. u has the shape of f(x), the result has the shape of x.
//   Array a = x.array();       a copy of the numbers of x
//   a.data()[i] = 3;           changes its i-th number; there are a.size()
//   Tensor(a)                  a tensor of these numbers
//   sum(u * f(x)).item()       the sum as a double
// For f(x) = x * x, x = [1, 2, 3] and u = [1, 10, 100]:
//   the result is [2, 40, 600], up to rounding
Tensor measured_vjp(const Forward& f, const Tensor& x, const Tensor& u) { todo(); }

// Part 6 ★★★  gradient_check
// Whether vjp is the backward pass of f, tried at x: draw a cotangent u and compare vjp(u, x) with
// measured_vjp(f, x, u). No number may be off by more than 1e-9 + 1e-6 * (the largest size measured).
// A vjp that returns NaN, or another shape than that of x, is wrong.
//   Rng rng(1);
//   randn(shape, rng)          a random tensor
// For f(x) = x * x and x = [1, 2, 3]:
//   with vjp(g, x) = 2 * g * x it is true
//   with vjp(g, x) = 2 * x it is false: g is forgotten
bool gradient_check(const Forward& f, const Backward& vjp, const Tensor& x) { todo(); }
