// Lesson 2: derivatives, by measuring, by rules, and by a tape. First what it is about, in the order of the
// text; then what the program shows of it, section by section.
#include <cmath>
#include <string>
#include <vector>

#include "headlight/autograd/node.h"
#include "headlight/ops/ops.h"
#include "lesson_program.h"
#include "pictures.h"

using namespace headlight;
using namespace headlight::lesson;

double cube(double x) { return x * x * x; }

double forward_difference(double x, double h) { return (cube(x + h) - cube(x)) / h; }

double central_difference(double x, double h) { return (cube(x + h) - cube(x - h)) / (2 * h); }

// One input of a number, and how much the number moves when that input moves: the local derivative.
struct Edge {
  std::size_t input;
  double derivative;
};

// One number that was computed: a line on the tape.
struct Entry {
  const char* op;
  double value;
  std::vector<Edge> edges;
};

// All numbers in the order in which they were computed.
using Tape = std::vector<Entry>;

// A number that is written on a tape.
struct Scalar {
  Tape* tape;
  std::size_t place;
  double value() const { return (*tape)[place].value; }
};

Scalar write(Tape& tape, const char* op, double value, std::vector<Edge> edges = {}) {
  tape.push_back({op, value, std::move(edges)});
  return {&tape, tape.size() - 1};
}

Scalar operator+(const Scalar& a, const Scalar& b) {
  return write(*a.tape, "+", a.value() + b.value(), {{a.place, 1}, {b.place, 1}});
}

Scalar operator*(const Scalar& a, const Scalar& b) {
  return write(*a.tape, "*", a.value() * b.value(), {{a.place, b.value()}, {b.place, a.value()}});
}

Scalar tanh(const Scalar& a) {
  const double t = std::tanh(a.value());
  return write(*a.tape, "tanh", t, {{a.place, 1 - t * t}});
}

// A double beside a Scalar is a constant: it goes onto the tape too, and has no input.
Scalar operator+(const Scalar& a, double k) { return a + write(*a.tape, "const", k); }
Scalar operator*(const Scalar& a, double k) { return a * write(*a.tape, "const", k); }
Scalar operator+(double k, const Scalar& a) { return a + k; }
Scalar operator*(double k, const Scalar& a) { return a * k; }

// ∂result/∂(each number of the tape): one pass over it, newest first.
std::vector<double> gradients(const Scalar& result) {
  const Tape& tape = *result.tape;
  std::vector<double> gradient(tape.size(), 0);
  gradient[result.place] = 1;
  for (std::size_t i = result.place + 1; i-- > 0;)
    for (const Edge& edge : tape[i].edges) gradient[edge.input] += gradient[i] * edge.derivative;
  return gradient;
}

// One function for double, Scalar and Headlight's Tensor. Each product has a line of its own because C++ does
// not say which side of a + comes first, and the tape shows it. `using` brings in the tanh of double.
template <class T>
T f(const T& x, const T& y) {
  using std::tanh;
  const T product = x * y;
  const T bent = tanh(product);
  const T square = x * x;
  return bent + square;
}

// Wrong on purpose: gradients() with = where += belongs.
std::vector<double> gradients_overwritten(const Scalar& result) {
  const Tape& tape = *result.tape;
  std::vector<double> gradient(tape.size(), 0);
  gradient[result.place] = 1;
  for (std::size_t i = result.place + 1; i-- > 0;)
    for (const Edge& edge : tape[i].edges) gradient[edge.input] = gradient[i] * edge.derivative;
  return gradient;
}

// Wrong on purpose: depth first. Each gradient is handed on as soon as something has arrived; when more
// arrives later, either nothing happens, or all that has gathered is handed on again.
void hand_on(const Tape& tape, std::size_t place, bool again, std::vector<double>& gradient,
             std::vector<bool>& visited) {
  if (visited[place] && !again) return;
  visited[place] = true;
  for (const Edge& edge : tape[place].edges) {
    gradient[edge.input] += gradient[place] * edge.derivative;
    hand_on(tape, edge.input, again, gradient, visited);
  }
}

std::vector<double> gradients_depth_first(const Scalar& result, bool again) {
  std::vector<double> gradient(result.tape->size(), 0);
  std::vector<bool> visited(result.tape->size(), false);
  gradient[result.place] = 1;
  hand_on(*result.tape, result.place, again, gradient, visited);
  return gradient;
}

// The sum of (ax + b − y)² over these points: how far the line ax + b misses them.
const std::vector<double> kX = {-1, 0, 1, 2}, kY = {-1.2, 1.3, 2.8, 5.1};

Scalar loss(const Scalar& a, const Scalar& b) {
  Scalar sum = write(*a.tape, "const", 0);
  for (std::size_t i = 0; i < kX.size(); ++i) {
    const Scalar miss = a * kX[i] + b + -kY[i];
    sum = sum + miss * miss;
  }
  return sum;
}

// The line before a step, its loss, and the gradients of a and b.
struct Step {
  double a, b, loss, da, db;
};

// So many steps of gradient descent, from the line a = 0, b = 0.
std::vector<Step> descend(int steps, double rate) {
  std::vector<Step> taken;
  double a = 0, b = 0;
  for (int step = 0; step <= steps; ++step) {
    Tape tape;  // a new one for each step
    const Scalar A = write(tape, "a", a), B = write(tape, "b", b), result = loss(A, B);
    const std::vector<double> gradient = gradients(result);
    const double da = gradient[A.place], db = gradient[B.place];
    taken.push_back({a, b, result.value(), da, db});
    a -= rate * da;
    b -= rate * db;
  }
  return taken;
}

// ---- What the program shows ----

void measured_slopes(const Pictures& pictures) {
  section("1. A derivative is a slope");
  say("The rule 3x² gives x³ at x = 2 the slope 12. A line through the points at 2 and 2 + h has:");
  for (double h : {1.0, 0.5, 0.1, 0.01, 0.001}) {
    const double slope = forward_difference(2, h);
    say("  h = {:<5}   slope {:9.6f}   error {:.6f}", h, slope, slope - 12);
  }

  draw_secants(pictures, cube, forward_difference(2, 1), forward_difference(2, 0.5), 12);
}

void how_small(const Pictures& pictures) {
  section("2. How small should h be?");
  const double x = 0.9, exact = 3 * x * x;
  say("The slope of x³ at x = {} is {:.2f}. The errors of the two measurements:", x, exact);
  std::vector<double> steps, forward, central;
  say("      h     forward error   central error");
  for (int k = 1; k <= 15; ++k) {
    const double h = 1 / std::pow(10.0, k);
    steps.push_back(h);
    forward.push_back(std::abs(forward_difference(x, h) - exact));
    central.push_back(std::abs(central_difference(x, h) - exact));
    say("  1e-{:02}     {:11.1e}     {:11.1e}", k, forward.back(), central.back());
  }
  draw_errors(pictures, steps, forward, central);
}

void tape_of_f(const Pictures& pictures) {
  section("3. A tape");
  Tape tape;
  const Scalar x = write(tape, "x", 0.5), y = write(tape, "y", -1.5);
  const std::vector<double> gradient = gradients(f(x, y));
  say("f(x, y) = tanh(x·y) + x·x at x = 0.5, y = -1.5 leaves this on the tape:");
  say("  place  op       value  inputs  gradient of f");
  for (std::size_t i = 0; i < tape.size(); ++i) {
    std::string inputs;
    for (const Edge& edge : tape[i].edges) inputs += fmt::format("{} ", edge.input);
    say("  {:>5}  {:<4} {:9.4f}  {:<6}  {:13.4f}", i, tape[i].op, tape[i].value, inputs, gradient[i]);
  }
  draw_tape(pictures, tape, gradient);
}

void three_ways() {
  section("4. Three ways, one answer");
  Tape tape;
  const Scalar x = write(tape, "x", 0.5), y = write(tape, "y", -1.5);
  const std::vector<double> by_tape = gradients(f(x, y));

  const Tensor X = parameter(Tensor(0.5)), Y = parameter(Tensor(-1.5));
  f(X, Y).backward();

  const double h = 1e-5;
  const double dx = (f(0.5 + h, -1.5) - f(0.5 - h, -1.5)) / (2 * h);
  const double dy = (f(0.5, -1.5 + h) - f(0.5, -1.5 - h)) / (2 * h);

  say("          tape          Headlight     central difference");
  say("  ∂f/∂x   {:.9f}   {:.9f}   {:.9f}", by_tape[x.place], X.grad().item(), dx);
  say("  ∂f/∂y   {:.9f}   {:.9f}   {:.9f}", by_tape[y.place], Y.grad().item(), dy);
}

void why_add() {
  section("5. Why +=");
  Tape tape;
  const Scalar a = write(tape, "a", 3), b = a + a;
  say("b = a + a is 2a, so ∂b/∂a = 2.");
  say("  with +=   {}", gradients(b)[a.place]);
  say("  with =    {}", gradients_overwritten(b)[a.place]);
}

void why_order(const Pictures& pictures) {
  section("6. Why the order");
  Tape tape;
  const Scalar a = write(tape, "a", 3), b = a + a, c = b + b;
  say("b = a + a; c = b + b. So c = 4a and ∂c/∂a = 4.");
  say("  newest first                       {}", gradients(c)[a.place]);
  say("  depth first, each number once      {}", gradients_depth_first(c, false)[a.place]);
  say("  depth first, at each arrival       {}", gradients_depth_first(c, true)[a.place]);
  draw_paths(pictures, tape, gradients(c));
}

void headlight_order() {
  section("7. Headlight's order");
  const Tensor a = parameter(Tensor(3)), b = a + a, c = b + b;
  const std::uint64_t first = a.node()->sequence;
  say("Sequence numbers, counted from a: a {}, b {}, c {}.", 0, b.node()->sequence - first,
      c.node()->sequence - first);
  c.backward();
  say("∂c/∂a = {}", a.grad().item());
}

void descent(const Pictures& pictures) {
  section("8. Ten steps downhill");
  const double rate = 0.05;
  const std::vector<Step> steps = descend(10, rate);
  std::string points;
  for (std::size_t i = 0; i < kX.size(); ++i) points += fmt::format("  ({}, {})", kX[i], kY[i]);
  say("points (x, y):{}\n", points);
  say("step       a       b      loss   ∂loss/∂a   ∂loss/∂b");
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const auto& [a, b, loss, da, db] = steps[k];
    say("{:>4}  {:6.3f}  {:6.3f}  {:8.4f}   {:8.3f}   {:8.3f}", k, a, b, loss, da, db);
  }
  draw_descent(pictures, kX, kY, steps);
}

int main(int argc, char** argv) {
  return run(argc, argv, "02_derivatives", [](const Pictures& pictures) {
    say("Lesson 2: derivatives");
    measured_slopes(pictures);
    how_small(pictures);
    tape_of_f(pictures);
    three_ways();
    why_add();
    why_order(pictures);
    headlight_order();
    descent(pictures);
  });
}
