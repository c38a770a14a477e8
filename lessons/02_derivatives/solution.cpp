// Exercise 2, solved.
#include "exercise.h"
#include "scalar.h"

// Part 1 ★  operator*
Scalar operator*(const Scalar& a, const Scalar& b) {
  return write(*a.tape, "*", a.value() * b.value(), {{a.place, b.value()}, {b.place, a.value()}});
}

// Part 2 ★★  operator/
Scalar operator/(const Scalar& a, const Scalar& b) {
  const double quotient = a.value() / b.value();
  return write(*a.tape, "/", quotient, {{a.place, 1 / b.value()}, {b.place, -quotient / b.value()}});
}

// Part 3 ★★  gradients
std::vector<double> gradients(const Scalar& result) {
  const Tape& tape = *result.tape;
  std::vector<double> gradient(tape.size(), 0);
  gradient[result.place] = 1;
  for (std::size_t i = result.place + 1; i-- > 0;)
    for (const Edge& edge : tape[i].edges) gradient[edge.input] += gradient[i] * edge.derivative;
  return gradient;
}

// Part 4 ★★  measured_gradient
std::vector<double> measured_gradient(const Function& f, std::vector<double> x, double h) {
  std::vector<double> gradient;
  for (double& number : x) {
    const double middle = number;
    number = middle + h;
    const double above = f(x);
    number = middle - h;
    const double below = f(x);
    number = middle;
    gradient.push_back((above - below) / (2 * h));
  }
  return gradient;
}

// Appends all that `place` depends on, inputs first, and `place` itself at last.
void append_inputs_first(const Tape& graph, std::size_t place, std::vector<bool>& visited,
                         std::vector<std::size_t>& order) {
  if (visited[place]) return;
  visited[place] = true;
  for (const Edge& edge : graph[place].edges) append_inputs_first(graph, edge.input, visited, order);
  order.push_back(place);
}

// Part 5 ★★★  gradients_in_any_order
std::vector<double> gradients_in_any_order(const Tape& graph, std::size_t result) {
  std::vector<bool> visited(graph.size(), false);
  std::vector<std::size_t> order;
  append_inputs_first(graph, result, visited, order);

  std::vector<double> gradient(graph.size(), 0);
  gradient[result] = 1;
  for (std::size_t i = order.size(); i-- > 0;)
    for (const Edge& edge : graph[order[i]].edges)
      gradient[edge.input] += gradient[order[i]] * edge.derivative;
  return gradient;
}

// Part 6 ★★★  fit_line
Line fit_line(const std::vector<double>& xs, const std::vector<double>& ys, Line start, double rate,
              int steps) {
  Line line = start;
  for (int step = 0; step < steps; ++step) {
    Tape tape;
    const Scalar a = write(tape, "a", line.a), b = write(tape, "b", line.b);
    Scalar sum = write(tape, "0", 0);
    for (std::size_t i = 0; i < xs.size(); ++i) {
      const Scalar miss = a * xs[i] + b - ys[i];
      sum = sum + miss * miss;
    }
    const std::vector<double> gradient = gradients(sum * (1.0 / static_cast<double>(xs.size())));
    line.a -= rate * gradient[a.place];
    line.b -= rate * gradient[b.place];
  }
  return line;
}
