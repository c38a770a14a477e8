// Exercise 4: train. The loop, the rate, AdamW, a network, and then all of it together.
//
// An `Array` holds numbers: w.size() of them, w.data()[i] is the i-th, and they may be changed. A `Tensor` t
// that is a parameter has its numbers in t.mutable_array(), also to be changed, and after backward() the
// gradient in t.grad().array().
#include "exercise.h"
#include "headlight/optim/adam.h"
#include "same_work.h"
#include "spiral.h"

// Part 1 ★  train_until
// Each call of loss() computes the loss of the parameters as they are now. Take one step of the optimizer
// after the other: compute the loss, note it, and from it the gradients and the step. Stop when a loss is at
// most `enough`, before a step is taken from it, or after `most` steps. Return the losses from which you took
// a step or stopped, in order: never more than `most`.
// Somebody else's gradients may still stand in the parameters when you begin.
// An optimizer has zero_grad() and step(); a loss has item(), its number, and backward().
//   With loss() = w·w, w = 1 and a step that halves w:
//   train_until(0.1, 10, loss, optimizer)  is  [1, 0.25, 0.0625],  and w is 0.25
std::vector<double> train_until(double enough, std::size_t most, const std::function<Tensor()>& loss,
                                optim::Optimizer& optimizer) {
  todo();
}

// Part 2 ★★  best_rate
// A loss is the sum of c/2 · d² over several directions, each with a curvature c > 0 of its own; d is the
// distance from the lowest point along this direction. Gradient descent with one fixed rate changes all
// distances. Return the rate with which the slowest of them shrinks as fast as possible. Section 2 says what
// one step makes of a distance; from that a formula follows.
//   best_rate({8, 0.5})  is  0.2353:  there both distances shrink by the same factor
double best_rate(const std::vector<double>& curvatures) { todo(); }

// Part 3 ★★  adamw_step
// Step number t = 1, 2, … of AdamW. All arrays have one shape; * and / go number by number:
//   m ← β₁ m + (1-β₁) g          m̂ = m / (1-β₁ᵗ)
//   v ← β₂ v + (1-β₂) g²         v̂ = v / (1-β₂ᵗ)
//   w ← w - rate · decay · w - rate · m̂ / (√v̂ + eps)
// m and v are kept for the next step, m̂ and v̂ are not. The settings are c.beta1, c.beta2, c.eps,
// c.learning_rate (the rate) and c.weight_decay (the decay).
// optim::AdamW may not be used here.
//   For w = [1], m = v = [0], g = [0.5], t = 1, betas 0.9 and 0.99, eps 0, rate 0.1, decay 0.5:
//   adamw_step(w, m, v, g, t, c)  makes  m = [0.05],  v = [0.0025]  and  w = [0.85]
void adamw_step(Array& w, Array& m, Array& v, const Array& g, std::size_t t, const optim::AdamConfig& c) {
  todo();
}

// Part 4 ★★  mlp
// A network of any number of layers. p holds their parameters in turn: W (in,out) and b (out) of the first
// layer, W and b of the second, and so on. A layer computes x·W + b. Between two layers stands relu, which
// makes 0 of negative numbers; the last layer's output stays as it is. x (n,in) → (n,out of the last).
// linear(x, W, b) and relu(x) are at hand.
//   For x = [[1, 2]], p = {[[1, -1], [1, -1]], [0, 1], [[2], [3]], [-7]}:
//   mlp(x, p)  is  [[-1]]
Tensor mlp(const Tensor& x, const std::vector<Tensor>& p) { todo(); }

// Part 5 ★★★  separate
// Trains a network on two spirals and returns its parameters, to be used with mlp(x, p). points.x is (200,2),
// points.y is (200,1): 1 on one arm, -1 on the other. The grader then computes mlp on 1000 fresh points of
// the same spirals: the sign of its output must be right for 98 % of them.
// Layers, loss, optimizer, rate and steps are up to you. Something that works: two hidden layers of 32;
// weights parameter(randn({in, out}, rng, 1 / √in)), biases parameter(zeros({out})); the mean of squared
// errors as loss; 400 steps with adamw_step at rate 0.01, on all points at once. Array(w.shape(), 0.0) makes
// zeros, and w.zero_grad() clears the gradient of w. The training may take 10 seconds.
std::vector<Tensor> separate(const Data& points, Rng& rng) { todo(); }

// Part 6 ★  same_work
// An experiment of your own. A larger batch gives a better gradient, but a step costs more. Let the work be
// fixed: 20000 outputs of the network in all, so 100 steps with all 200 points, or 4000 steps with 5. Which
// batch size is best? Guess for four batch sizes of your choice, from 1 to 200, what percentage of the fresh
// points is right. Then let percent_after_same_work(batch) of same_work.h train. It uses SGD at rate 0.1.
// Return for each {batch, your guess, what came out}. Write the guess before you run it.
std::vector<Trial> same_work() { todo(); }
