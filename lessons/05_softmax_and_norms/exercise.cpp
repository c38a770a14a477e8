// Lesson 5: softmax and norms, forward and backward.
//
// Write each part with the ops of Headlight, or with loops over the numbers. Not to be called are
// log_softmax, softmax, logsumexp and cross_entropy in part 1, cross_entropy in parts 3 and 4, layer_norm in
// part 5, and backward() in parts 2, 4 and 6. What you will need:
//   exp(x), log(x), sqrt(x)      number by number, log to the base e; + - * / broadcast
//   sum(x, {-1}, true)           the sum of each row, its axis kept with length 1; so mean, var and max
//   sum_to(x, shape)             sums back to a smaller shape (lesson 1)
//   x.array()(i, j)              a number of the matrix x; x.array() is an Array
//   x.array().data()[k]          a number of any x, counted in the order of memory
//   Tensor(array)                the Tensor with the numbers of an Array
//   targets(i), targets.size()   the numbers of an IntArray, and how many
//   x.length(-1), sum(x).item()  the length of the last axis; a Tensor of one number as a double
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

// Part 4 ★★★  cross_entropy_gradient
// Now a row may have several targets: q (n,V) says how much column j of row i counts, q ≥ 0. The loss is the
// mean over the n rows of  -Σ_j q_j log p_j.  With a single 1 in each row it is that of part 3. A row of q
// may have any sum; all of its numbers may be 0. Return the gradient of the loss with respect to the logits,
// (n,V). Derive it before you write it: the text's formula holds for one target in each row.
//   logits = [[0, 0], [0, log 3]],  q = [[1, 0], [2, 0]]   →   [[-0.25, 0.25], [-0.75, 0.75]]
Tensor cross_entropy_gradient(const Tensor& logits, const Tensor& q) { todo(); }

// Part 5 ★★  layer_norm_forward
// y = (x - mean) / √(variance + eps) · w + b, mean and variance over each row.
// x (…,d); w and b have the shape (d), or both are a single number. A row of equal numbers gives b, no NaN.
// eps is large in the example, so that it shows.
//   x = [[0, 0, 8, 8]],  w = [1, 1, 1, 2],  b = [0, 0, 0, 1],  eps = 9   →   [[-0.8, -0.8, 0.8, 2.6]]
Tensor layer_norm_forward(const Tensor& x, const Tensor& w, const Tensor& b, double eps) { todo(); }

// Part 6 ★★★  layer_norm_backward
// The backward pass of part 5. g (…,d) is the cotangent of y, w has the shape (d). Return the cotangents of x
// (…,d), of w (d) and of b (d), in this order:  return {dx, dw, db};   (Their names in the result are x, w
// and b.) All rows share w and b. Part 5 with w = 1 and b = 0 gives the normalized x. Section 7 derives RMS
// norm and centring without w and eps; put them together.
//   g = [[1, 2, 3, 3]], x, w and eps as above   →   x: [[-0.208, -0.008, -0.192, 0.408]]
//                                                   w: [-0.8, -1.6, 2.4, 2.4]     b: [1, 2, 3, 3]
LayerNormGradients layer_norm_backward(const Tensor& g, const Tensor& x, const Tensor& w, double eps) {
  todo();
}

// Part 7 ★★  step_sizes, an experiment of your own
// Steps of descent that are too large usually lead away from the minimum, to infinity. What happens if a
// layer norm stands between the numbers and the loss? Take w = [1, 1, 1, 1], b = [0, 0, 0, 0], eps = 1e-5 and
// g = [[1, 2, 3, 6]]. Start at x = [[0, 1, 3, 8]] and take 100 steps  x ← x - s · dx,  with dx from part 6.
// Then measure the loss  Σ g⊙y,  with y from part 5. It is 7.46 at the start, and -7.48 at best.
// Choose at least four step sizes s from 0.001 to 1000000. Before you run, write down which loss you expect.
//   return {{s, predicted, measured}, …};     for infinity predict 1e9
std::vector<Trial> step_sizes() { todo(); }
