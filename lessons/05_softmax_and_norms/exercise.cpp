// Lesson 5: softmax and norms, forward and backward.
//
// Write each part with the ops of Headlight, or with loops over the numbers. No part may call
// the op of Headlight that it is to compute. What you will need:
//   exp(x), log(x), sqrt(x)      number by number, log to the base e; + - * / broadcast
//   sum(x, {-1}, true)           the sum of each row, its axis kept with length 1; so mean, var and max
//   sum_to(x, shape)             sums back to a smaller shape (lesson 1)
//   x.array()(i, j)              a number of the matrix x; x.array() is an Array
//   x.array().data()[k]          a number of any x, counted in the order of memory
//   Tensor(array)                the Tensor with the numbers of an Array
//   targets(i), targets.size()   the numbers of an IntArray, and how many
//
// A row is what stands along the last axis. (…,V) means: any number of axes before a last one of length V.
#include "exercise.h"
#include "layer_norm_gradients.h"

// Part 1 ★  stable_log_softmax
// The logarithm of the softmax of each row:  y = x - log Σ e^x.     x (…,V) → y (…,V)
// It must be right for scores near 1000 and near -1000 too, in one row and between rows. No number of the
// inputs is infinite here.
//   x = [[0, 0], [1, 3]]   →   [[-0.6931, -0.6931], [-2.1269, -0.1269]]
Tensor stable_log_softmax(const Tensor& x) { todo(); }

// Part 2 ★★  log_softmax_vjp
// The backward pass of part 1. y (…,V) is what part 1 returned, g (…,V) is the cotangent of y: how much the
// loss moves with each number of y. Return the cotangent of x, of shape (…,V).
//   g = [1, 5],  y = [log 1/4, log 3/4]   →   [-0.5, 0.5]
Tensor log_softmax_vjp(const Tensor& g, const Tensor& y) { todo(); }

// Part 3 ★★  mean_cross_entropy
// The mean over all rows of -log p[target], where p is the softmax of the row.
// logits (n,V), targets (n) in 0 … V-1. A row whose target lies 1000 below the largest score costs 1000.
//   logits = [[0, 0], [0, log 3]],  targets = [0, 0]   →   (log 2 + log 4) / 2 = 1.0397
double mean_cross_entropy(const Tensor& logits, const IntArray& targets) { todo(); }

// Part 4 ★★  cross_entropy_gradient
// The gradient of part 3 with respect to the logits, of shape (n,V).
//   logits = [[0, 0], [0, log 3]],  targets = [0, 0]   →   [[-0.25, 0.25], [-0.375, 0.375]]
Tensor cross_entropy_gradient(const Tensor& logits, const IntArray& targets) { todo(); }

// Part 5 ★★  layer_norm_forward
// y = (x - mean) / √(variance + eps) · w + b, mean and variance over each row.
// x (…,d); w and b have the shape (d), or are a single number. eps is large in the example, so that it shows.
//   x = [[0, 0, 8, 8]],  w = [1, 1, 1, 2],  b = [0, 0, 0, 1],  eps = 9   →   [[-0.8, -0.8, 0.8, 2.6]]
Tensor layer_norm_forward(const Tensor& x, const Tensor& w, const Tensor& b, double eps) { todo(); }

// Part 6 ★★★  layer_norm_backward
// The backward pass of part 5. g (…,d) is the cotangent of y. Return the cotangents of x (…,d), of w (d) and
// of b (d), in this order:  return {dx, dw, db};   All rows share w and b. (Part 5 with w = 1 and b = 0 gives
// the normalized x.)
//   g = [[1, 2, 3, 3]], x, w and eps as above   →   x: [[-0.208, -0.008, -0.192, 0.408]]
//                                                   w: [-0.8, -1.6, 2.4, 2.4]     b: [1, 2, 3, 3]
LayerNormGradients layer_norm_backward(const Tensor& g, const Tensor& x, const Tensor& w, double eps) {
  todo();
}
