// The checker of exercise 2.
#include <fmt/core.h>

#include "exercise.h"
#include "grader/part.h"
#include "headlight/core/rng.h"
#include "scalar.h"

// The learner's.
Scalar operator*(const Scalar& a, const Scalar& b);
Scalar operator/(const Scalar& a, const Scalar& b);
std::vector<double> gradients(const Scalar& result);
std::vector<double> measured_gradient(const Function& f, std::vector<double> x, double h);
std::vector<double> gradients_in_any_order(const Tape& graph, std::size_t result);
Line fit_line(const std::vector<double>& xs, const std::vector<double>& ys, Line start, double rate,
              int steps);

namespace solution {
#include "solution.cpp"
}

#include "mistakes.h"
#include "mistakes_back.h"
#include "mistakes_fit.h"

namespace {

using namespace grader;

// What an operator wrote for a and b: its value, and its derivatives by both. Only what the tape says
// counts: an operator may use several entries, and name its inputs in any order.
Result written_by(Scalar (*op)(const Scalar&, const Scalar&), double a, double b) {
  Tape tape;
  const Scalar x = write(tape, "a", a), y = write(tape, "b", b), result = op(x, y);
  if (result.tape != &tape || result.place >= tape.size())
    throw Error("the result is not on the tape of a and b. write() returns the place to give back.");
  for (std::size_t i = 0; i < tape.size(); ++i)
    for (const Edge& edge : tape[i].edges)
      if (edge.input >= i)
        throw Error(fmt::format("entry {} of the tape has an edge to place {}, which is not before it.", i,
                                edge.input));
  const std::vector<double> gradient = solution::gradients(result);
  return {shown("value", result.value()), shown("derivative by a", gradient[x.place]),
          shown("derivative by b", gradient[y.place])};
}

std::vector<Case<mistakes::Binary>> operator_cases(const char* sign,
                                                   const std::vector<std::pair<double, double>>& pairs) {
  std::vector<Case<mistakes::Binary>> cases;
  for (const auto& [a, b] : pairs)
    cases.push_back({fmt::format("a {} b", sign),
                     {shown("a", a), shown("b", b)},
                     [a, b](mistakes::Binary op) { return written_by(op, a, b); }});
  return cases;
}

Part product_part() {
  return part("operator*", 1, ::operator*, solution::operator*,
              operator_cases("*", {{3, 4}, {-2, 5}, {0, 7}, {0.5, -1.5}}), mistakes::of_product());
}

Part quotient_part() {
  return part("operator/", 2, ::operator/, solution::operator/,
              operator_cases("/", {{6, 2}, {1, 4}, {-3, 0.5}, {0, 5}, {7, -2}}), mistakes::of_quotient());
}

// The edges of a graph as a table: from which place, to which, and the local derivative.
Shown edges_of(const Tape& graph) {
  Shown table{"edges: number, input, derivative", {0, 3}, {}};
  for (std::size_t i = 0; i < graph.size(); ++i)
    for (const Edge& edge : graph[i].edges) {
      table.numbers.insert(table.numbers.end(),
                           {static_cast<double>(i), static_cast<double>(edge.input), edge.derivative});
      ++table.shape[0];
    }
  return table;
}

Case<mistakes::GradientsOf> gradients_case(const std::string& formula, const Tape& tape, std::size_t place) {
  return {"gradients(result) with result = " + formula,
          {shown("place of the result", place), edges_of(tape)},
          [tape, place](mistakes::GradientsOf function) {
            Tape own = tape;
            return Result{shown("result", function({&own, place}))};
          }};
}

constexpr double kDerivatives[] = {-2, -1, 1, 3};

// A tape of inputs and of numbers with two edges each, to random numbers before them.
Tape drawn_tape(Rng& rng, std::size_t inputs, std::size_t numbers) {
  Tape tape;
  for (std::size_t i = 0; i < numbers; ++i) {
    std::vector<Edge> edges;
    for (int k = 0; i >= inputs && k < 2; ++k) edges.push_back({rng.below(i), kDerivatives[rng.below(4)]});
    write(tape, "op", static_cast<double>(rng.below(9)) + 1, std::move(edges));
  }
  return tape;
}

Part gradients_part() {
  Tape tape;
  const Scalar x = write(tape, "x", 2), y = write(tape, "y", 5);
  const Scalar product = solution::operator*(x, y), sum = product + x;
  Tape doubled;
  const Scalar b = write(doubled, "a", 3) + Scalar{&doubled, 0}, c = b + b;
  Tape longer = tape;
  write(longer, "behind", 8, {{1, 3}, {sum.place, 2}});
  Rng rng(2);
  return part("gradients", 2, ::gradients, solution::gradients,
              {gradients_case("x·y + x", tape, sum.place),
               gradients_case("c, where b = a + a and c = b + b", doubled, c.place),
               gradients_case("x·y + x, with one more number behind it", longer, sum.place),
               gradients_case("a random formula", drawn_tape(rng, 3, 9), 8),
               gradients_case("a random formula", drawn_tape(rng, 2, 12), 10),
               gradients_case("x alone", tape, x.place)},
              mistakes::of_gradients());
}

Case<mistakes::Measure> measuring(const std::string& formula, const Function& f, const std::vector<double>& x,
                                  double h) {
  return {"measured_gradient(f, x, h) with f(x) = " + formula,
          {shown("x", x), shown("h", h)},
          [=](mistakes::Measure measure) { return Result{shown("result", measure(f, x, h))}; }};
}

Part measure_part() {
  const Function two = [](const auto& x) { return x.at(0) * x.at(0) * x.at(1); };
  const Function three = [](const auto& x) { return x.at(0) * x.at(1) + x.at(1) * x.at(2) * x.at(2); };
  const Function one = [](const auto& x) { return x.at(0) * x.at(0) * x.at(0); };
  return part("measured_gradient", 2, ::measured_gradient, solution::measured_gradient,
              {measuring("x[0]·x[0]·x[1]", two, {2, 3}, 0.5),
               measuring("x[0]·x[1] + x[1]·x[2]·x[2]", three, {1, -2, 3}, 0.25),
               measuring("x[0]·x[0]·x[0]", one, {-1.5}, 0.125)},
              mistakes::of_measured_gradient());
}

Case<mistakes::AnyOrder> any_order(const std::string& graph_text, const Tape& graph, std::size_t result) {
  return {fmt::format("gradients_in_any_order(graph, {}){}", result, graph_text),
          {edges_of(graph)},
          [=](mistakes::AnyOrder function) { return Result{shown("result", function(graph, result))}; }};
}

// The same graph with each number at another place. `to` becomes the new place of the last.
Tape shuffled(const Tape& tape, Rng& rng, std::size_t& to) {
  std::vector<std::size_t> places(tape.size());
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = i;
  for (std::size_t i = places.size(); i > 1; --i) std::swap(places[i - 1], places[rng.below(i)]);
  Tape moved(tape.size());
  for (std::size_t i = 0; i < tape.size(); ++i) {
    moved[places[i]] = tape[i];
    for (Edge& edge : moved[places[i]].edges) edge.input = places[edge.input];
  }
  to = places.back();
  return moved;
}

Part any_order_part() {
  const Tape doubled = {{"c", 12, {{2, 1}, {2, 1}}}, {"a", 3, {}}, {"b", 6, {{1, 1}, {1, 1}}}};
  // d = a + c with c = 2b and b = 3a: a is an input both of the result and of what the result is made of.
  const Tape shortcut = {{"b", 3, {{1, 3}}}, {"a", 1, {}}, {"d", 7, {{1, 1}, {3, 1}}}, {"c", 6, {{0, 2}}}};
  // e = c · d, where d = 5c: from e, the first edge leads to c, and c is an input of d too.
  const Tape diamond = {{"a", 1, {}},
                        {"e", 20, {{3, 10}, {2, 2}}},
                        {"d", 10, {{3, 5}}},
                        {"c", 2, {{0, 2}}},
                        {"z", 4, {{3, 7}}}};
  std::vector<Case<mistakes::AnyOrder>> cases = {
      any_order(", where c = b + b stands before a and b = a + a", doubled, 0),
      any_order(", where b = a + a and c = b + b stand in order",
                {{"a", 3, {}}, {"b", 6, {{0, 1}, {0, 1}}}, {"c", 12, {{1, 1}, {1, 1}}}}, 2),
      any_order(", where d = a + c, c = 2b and b = 3a", shortcut, 2),
      any_order(", where c is used by three others", diamond, 1)};
  Rng rng(3);
  for (const std::size_t numbers : {7, 10, 13}) {
    std::size_t result = 0;
    const Tape graph = shuffled(drawn_tape(rng, 2, numbers), rng, result);
    cases.push_back(any_order(" of a random formula", graph, result));
  }
  return part("gradients_in_any_order", 3, ::gradients_in_any_order, solution::gradients_in_any_order, cases,
              mistakes::of_any_order());
}

Case<mistakes::Fit> fitting(const std::vector<double>& xs, const std::vector<double>& ys, Line start,
                            double rate, int steps) {
  return {"fit_line(xs, ys, {start.a, start.b}, rate, steps)",
          {shown("xs", xs), shown("ys", ys), shown("start", std::vector<double>{start.a, start.b}),
           shown("rate", rate), shown("steps", steps)},
          [=](mistakes::Fit fit) {
            const Line line = fit(xs, ys, start, rate, steps);
            return Result{shown("a", line.a), shown("b", line.b)};
          }};
}

Part fit_part() {
  return part("fit_line", 3, ::fit_line, solution::fit_line,
              {fitting({0, 1}, {1, 3}, {0, 0}, 0.5, 1), fitting({0, 1}, {1, 3}, {0, 0}, 0.25, 2),
               fitting({-1, 0, 1, 2}, {-1.2, 1.3, 2.8, 5.1}, {0, 0}, 0.2, 10),
               fitting({3, -1, 0.5}, {1, 4, -2}, {1, -1}, 0.05, 3), fitting({2}, {3}, {0.5, 1}, 0.1, 4),
               fitting({1, 2}, {1, 2}, {3, 4}, 0.1, 0)},
              mistakes::of_fit_line());
}

}  // namespace

int main(int argc, char** argv) {
  return grader::run(argc, argv, [] {
    return grader::Exercise{
        "02_derivatives",
        {product_part(), quotient_part(), gradients_part(), measure_part(), any_order_part(), fit_part()}};
  });
}
