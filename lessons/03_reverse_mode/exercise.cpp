// Exercise 3: derive the backward pass of four ops, write a check that finds wrong ones, and test such a
// check.
//
// The ops are not those of the text. Take pen and paper: in which numbers of the result does one number of
// the input occur, and with what slope? Compute without the tape:
// parts 1 to 5 may not call backward().
//
// g is always the cotangent of an op's result and has the result's shape. A vjp returns the cotangent of each
// input, of the shape of that input. What you need, for tensors a and b:
//   a + b, a - b, a * b, a / b   number by number, with broadcasting
//   matmul(a, b), transpose(a)
//   sum(a), sum(a, {1})          the sum of all numbers, or along axis 1. Axis -1 is the last
//   sum(a, {1}, true)            keeps the axis, with length 1; mean(a, {1}, true) works alike
//   a.shape(), a.length(1)       the lengths of all axes, or of axis 1
//   sum_to(a, shape)             what broadcasting repeated, summed back (lesson 1)
//   broadcast_to(a, shape), reshape_to(a, shape)
#include "exercise.h"
#include "functions.h"

// Part 1 ★  div_vjp
// z = x / y, number by number. The shapes of x and y may differ and broadcast to the shape of z.
// Return the cotangents of x and of y, in this order: return {a, b};
// For x = [[2, 8], [6, 4]], y = [2, 4] and g = [[1, 1], [1, 2]]:
//   the first is [[0.5, 0.25], [0.5, 0.5]], the second [-2, -1]
std::pair<Tensor, Tensor> div_vjp(const Tensor& g, const Tensor& x, const Tensor& y) { todo(); }

// Part 2 ★★  variance_vjp
// The variance along one axis: the mean of (x - m)², where m is the mean of x, both along the axis. It
// divides by the length of the axis. The axis, 0 or more, is gone from the result. Return the cotangent of x.
// For x = [[0, 3, 6], [0, 0, 9]], axis 1 and g = [1, 10]:
//   it is [[-2, 0, 2], [-20, -20, 40]]
Tensor variance_vjp(const Tensor& g, const Tensor& x, int axis) { todo(); }

// Part 3 ★★  gram_vjp
// Y = matmul(X, transpose(X)): Y[i,j] is the product of row i of X with row j. X is (n,k), Y and g are (n,n).
// g need not be symmetric. Return the cotangent of X.
// For X = [[1, 2], [3, 4]] and g = [[1, 10], [100, 1000]]:
//   it is [[332, 444], [6110, 8220]]
Tensor gram_vjp(const Tensor& g, const Tensor& X) { todo(); }

// Part 4 ★★  shares_vjp
// y = x / s, where s is the sum of the row: each number as a share of its row. A row is what stands along the
// last axis; there may be any number of axes before it. No s is 0. Return the cotangent of x.
// For x = [1, 3] and g = [1, 5]:
//   it is [-0.75, 0.25]
Tensor shares_vjp(const Tensor& g, const Tensor& x) { todo(); }

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
// measured_vjp(f, x, u). The answer is true if no number differs by more than
//   1e-9 + 1e-6 * largest      where largest is the largest |number| of measured_vjp(f, x, u)
// A vjp that returns NaN, or another shape than that of x, is wrong.
//   Rng rng(1);
//   randn(shape, rng)          a random tensor
// For f(x) = x * x and x = [1, 2, 3]:
//   with vjp(g, x) = 2 * g * x it is true
//   with vjp(g, x) = 2 * x it is false: g is forgotten
bool gradient_check(const Forward& f, const Backward& vjp, const Tensor& x) { todo(); }

// Part 7 ★★  one_wrong_number
// An experiment of your own. Part 6 measures each of the n numbers of x. Section 5 measures one slope, along
// a random direction. Let f(x) = x * x, and let vjp(g, x) be 2 * g * x, but with the last number 1 % too
// large. How many of 100 such checks find that? Guess first, for three n of your choice from 1 to 10000.
// Check number k, from 1 to 100, draws x, u and d from Rng rng(k), in this order, by randn({n}, rng):
//   measured = (Σ u * f(x + h * d) - Σ u * f(x - h * d)) / (2 * h), with h = 1e-5
//   claimed  = Σ vjp(u, x) * d
// It finds the mistake if the two differ by more than 1e-9 + 1e-6 * |measured|.
// Return for each n {n, your guess, how many you counted}.
std::vector<Trial> one_wrong_number() { todo(); }
