// Exercise 2: write a tape, run the backward pass over it, and fit a line with it.
//
// scalar.h has the types of the lesson, Edge, Entry, Tape and Scalar, and the functions write, + and −. Read
// it first: + shows how an operator writes itself onto the tape.
#include "exercise.h"
#include "scalar.h"

// Part 1 ★  operator*
// The product of two numbers of one tape. It writes one entry: the value, and for each factor an edge with
// the local derivative.
//   For a = 3 and b = 4:  a * b  is 12, its derivative by a is 4, by b it is 3.
Scalar operator*(const Scalar& a, const Scalar& b) { todo(); }

// Part 2 ★★  operator/
// The quotient. Its local derivatives are not in the lesson's table: take the quotient rule, or write a/b as
// a · b⁻¹.
//   For a = 6 and b = 2:  a / b  is 3, its derivative by a is 0.5, by b it is −1.5.
Scalar operator/(const Scalar& a, const Scalar& b) { todo(); }

// Part 3 ★★  gradients
// The backward pass: entry i of the answer is the derivative of `result` by the number at place i of its
// tape. The answer has one entry for each number of the tape, also for those behind the result: they are 0.
//   For x = 2, y = 5 and result = x·y + x, the tape holds x, y, x·y and the sum:
//   gradients(result)  is  [6, 2, 1, 1]
std::vector<double> gradients(const Scalar& result) { todo(); }

// Part 4 ★★  measured_gradient
// The same by measuring, to check a gradient by. Entry k is the central difference along x[k] alone:
//   (f(x with x[k] + h) − f(x with x[k] − h)) / 2h
// f is called as f(x). x is a copy: you may change it.
//   For f(x) = x[0]·x[0]·x[1]:
//   measured_gradient(f, {2, 3}, 0.5)  is  [12, 4]
std::vector<double> measured_gradient(const Function& f, std::vector<double> x, double h) { todo(); }

// Part 5 ★★★  gradients_in_any_order
// The same pass for numbers that do not stand in the order in which they were computed. An edge may lead to
// any place, before or behind. No number depends on itself. `result` is a place. A number may hand on its
// gradient only when everything it will receive has arrived, so find an order in which this holds. Helper
// functions of your own are welcome, above this one.
//   For c at place 0, a at place 1 and b at place 2, with c = b + b and b = a + a:
//   gradients_in_any_order(graph, 0)  is  [1, 4, 2]
std::vector<double> gradients_in_any_order(const Tape& graph, std::size_t result) { todo(); }

// Part 6 ★★★  fit_line
// Gradient descent with your own tape. The loss of the line ax + b is the mean of (a·xs[i] + b − ys[i])² over
// all points. Begin at `start`. In each step, write a, b and the loss onto a new tape, run the backward pass,
// and move a and b against their gradients, by rate times the gradient. Return the line after so many steps.
//   fit_line({0, 1}, {1, 3}, {0, 0}, 0.5, 1)  is the line with a = 1.5 and b = 2
Line fit_line(const std::vector<double>& xs, const std::vector<double>& ys, Line start, double rate,
              int steps) {
  todo();
}
