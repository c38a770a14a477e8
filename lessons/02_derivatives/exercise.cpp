// Exercise 2: put operators of your own onto a tape, run a backward pass over any graph, and fit a curve.
//
// scalar.h has the types of the lesson, Edge, Entry, Tape and Scalar, and the functions write, +, − and *.
// Read it first: + shows how an operator writes itself onto the tape. Helper functions of your own are
// welcome, above the part that uses them.
#include "exercise.h"
#include "scalar.h"

// Part 1 ★  operator/
// The quotient of two numbers of one tape: its value, and for each of the two an edge with the local
// derivative. The lesson's table does not have these: take the quotient rule, or write a/b as a · b⁻¹.
//   For a = 6 and b = 2:  a / b  is 3, its derivative by a is 0.5, by b it is −1.5.
Scalar operator/(const Scalar& a, const Scalar& b) { todo(); }

// Part 2 ★★  product_of
// The product of one or more numbers of one tape. It writes exactly one entry, with all edges that it needs.
// Some factors may be 0, and the same number may be several of the factors.
//   For a = 2, b = 3, c = 4:  product_of({a, b, c})  is 24, its derivatives are 12, 8 and 6.
Scalar product_of(const std::vector<Scalar>& factors) { todo(); }

// Part 3 ★★  measured_gradient
// The gradient of f at x by measuring, with a smaller error than the central difference has. For small h the
// error of a central difference is a number times h², plus parts with h⁴ and higher powers. Measure with the
// step h and with the step h/2. Combine the two slopes so that the part with h² cancels and the right slope
// is left. Entry k of the answer is about x[k] alone, and f is called as f(x). x is a copy: you may change
// it.
//   For f(x) = x[0]·x[0]·x[0]:  measured_gradient(f, {2}, 1)  is  [12]
//   The central differences are 13 with the step 1, and 12.25 with the step 0.5.
std::vector<double> measured_gradient(const Function& f, std::vector<double> x, double h) { todo(); }

// Part 4 ★★★  gradients_in_any_order
// The backward pass over numbers that do not stand in the order in which they were computed. Entry i of the
// answer is the derivative of the result by the number at place i, and 0 if the result does not depend on it.
// `result` is a place. An edge may lead to any place, before or behind. No number depends on itself. A number
// may pass on its gradient only when everything it will receive has arrived, so find an order in which this
// holds.
//   For c at place 0, a at place 1 and b at place 2, with c = b + b and b = a + a:
//   gradients_in_any_order(graph, 0)  is  [1, 4, 2]
std::vector<double> gradients_in_any_order(const Tape& graph, std::size_t result) { todo(); }

// Part 5 ★★  fit_curve
// Gradient descent with the parts above. No formula gives the best curve y = ax / (x + b). The loss is the
// mean of (a·xs[i] / (xs[i] + b) − ys[i])² over all points. Begin at `start`. In each step, write a, b and
// the loss onto a new tape, run the backward pass, and move a and b against their gradients, by rate times
// the gradient. Return the curve after so many steps.
//   fit_curve({1}, {1}, {1, 1}, 1, 1)  is the curve with a = 1.5 and b = 0.75
Curve fit_curve(const std::vector<double>& xs, const std::vector<double>& ys, Curve start, double rate,
                int steps) {
  todo();
}

// Part 6 ★★  steps_by_unit
// An experiment of your own: does gradient descent depend on units? Take the points kXs and kYs of scalar.h.
// In a unit that is u times as small, every x is u times as large a number. The b of the same curve is u
// times as large too; ys and a stay. Start at {1, 3u} with the rate 1. That is the same curve beside the same
// points, whatever u is. Measure the smallest number of steps of fit_curve after which the loss is at most
// 0.01. With u = 1 it is 55. Choose at least three values of u from 1 to 10. Write down what you expect for
// each, and only then measure. Return a Trial for each: {u, predicted, measured}.
std::vector<Trial> steps_by_unit() { todo(); }
