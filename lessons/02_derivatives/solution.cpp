// Exercise 2, solved.
#include "exercise.h"
#include "scalar.h"

// Part 1 ★  operator/
Scalar operator/(const Scalar& a, const Scalar& b) {
  const double quotient = a.value() / b.value();
  return write(*a.tape, "/", quotient, {{a.place, 1 / b.value()}, {b.place, -quotient / b.value()}});
}

// Part 2 ★★  product_of
Scalar product_of(const std::vector<Scalar>& factors) {
  double product = 1;
  std::vector<Edge> edges;
  for (std::size_t k = 0; k < factors.size(); ++k) {
    product *= factors[k].value();
    double of_others = 1;
    for (std::size_t other = 0; other < factors.size(); ++other)
      if (other != k) of_others *= factors[other].value();
    edges.push_back({factors[k].place, of_others});
  }
  return write(*factors[0].tape, "product", product, edges);
}

// The central difference along x[k].
double central_difference(const Function& f, std::vector<double> x, std::size_t k, double h) {
  const double middle = x[k];
  x[k] = middle + h;
  const double above = f(x);
  x[k] = middle - h;
  return (above - f(x)) / (2 * h);
}

// Part 3 ★★  measured_gradient
std::vector<double> measured_gradient(const Function& f, std::vector<double> x, double h) {
  std::vector<double> gradient;
  for (std::size_t k = 0; k < x.size(); ++k)
    gradient.push_back((4 * central_difference(f, x, k, h / 2) - central_difference(f, x, k, h)) / 3);
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

// Part 4 ★★★  gradients_in_any_order
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

// Part 5 ★★  fit_curve
Curve fit_curve(const std::vector<double>& xs, const std::vector<double>& ys, Curve start, double rate,
                int steps) {
  Curve curve = start;
  for (int step = 0; step < steps; ++step) {
    Tape tape;
    const Scalar a = write(tape, "a", curve.a), b = write(tape, "b", curve.b);
    Scalar sum = write(tape, "0", 0);
    for (std::size_t i = 0; i < xs.size(); ++i) {
      const Scalar miss = a * xs[i] / (b + xs[i]) - ys[i];
      sum = sum + miss * miss;
    }
    const Scalar loss = sum * (1.0 / static_cast<double>(xs.size()));
    const std::vector<double> gradient = gradients_in_any_order(tape, loss.place);
    curve.a -= rate * gradient[a.place];
    curve.b -= rate * gradient[b.place];
  }
  return curve;
}

double loss_of(const std::vector<double>& xs, Curve curve) {
  double sum = 0;
  for (std::size_t i = 0; i < xs.size(); ++i)
    sum += std::pow(curve.a * xs[i] / (xs[i] + curve.b) - kYs[i], 2);
  return sum / static_cast<double>(xs.size());
}

double steps_needed(double unit) {
  std::vector<double> xs = kXs;
  for (double& x : xs) x *= unit;
  Curve curve{1, 3 * unit};
  int steps = 0;
  for (; loss_of(xs, curve) > 0.01; ++steps) curve = fit_curve(xs, kYs, curve, 1, 1);
  return steps;
}

// Part 6 ★★  steps_by_unit
std::vector<Trial> steps_by_unit() {
  return {{1, 55, steps_needed(1)}, {2, 55, steps_needed(2)}, {10, 55, steps_needed(10)}};
}
