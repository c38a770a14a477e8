// The checker of exercise 2.
#include <fmt/core.h>

#include "exercise.h"
#include "grader/experiment.h"
#include "grader/part.h"
#include "headlight/core/rng.h"
#include "scalar.h"

// The learner's.
Scalar operator/(const Scalar& a, const Scalar& b);
Scalar product_of(const std::vector<Scalar>& factors);
std::vector<double> measured_gradient(const Function& f, std::vector<double> x, double h);
std::vector<double> gradients_in_any_order(const Tape& graph, std::size_t result);
Curve fit_curve(const std::vector<double>& xs, const std::vector<double>& ys, Curve start, double rate,
                int steps);
std::vector<Trial> steps_by_unit();

namespace solution {
namespace {  // which a learner's file cannot call
#include "solution.cpp"
}
}  // namespace solution

#include "mistakes.h"
#include "mistakes_back.h"
#include "mistakes_fit.h"
#include "mistakes_measure.h"
#include "mistakes_units.h"

namespace {

using namespace grader;

// The numbers of a tape, written there as inputs.
std::vector<Scalar> inputs_on(Tape& tape, const std::vector<double>& numbers) {
  std::vector<Scalar> inputs;
  for (const double number : numbers) inputs.push_back(write(tape, "input", number));
  return inputs;
}

// The derivatives of what an operator wrote by the inputs, which stand at the beginning of the tape. Only
// what the tape says counts: an operator may name its inputs in any order.
std::vector<double> derivatives_of(const Tape& tape, const Scalar& result, std::size_t inputs) {
  if (result.tape != &tape || result.place >= tape.size())
    throw Error("the result is not on the tape of its inputs. write() returns the place to give back.");
  for (std::size_t i = 0; i < tape.size(); ++i)
    for (const Edge& edge : tape[i].edges)
      if (edge.input >= i)
        throw Error(fmt::format("entry {} of the tape has an edge to place {}, which is not before it.", i,
                                edge.input));
  std::vector<double> gradient = solution::gradients_in_any_order(tape, result.place);
  gradient.resize(inputs);
  return gradient;
}

Part quotient_part() {
  std::vector<Case<mistakes::Binary>> cases;
  for (const auto& [a, b] :
       std::vector<std::pair<double, double>>{{6, 2}, {1, 4}, {-3, 0.5}, {0, 5}, {7, -2}})
    cases.push_back({"a / b", {shown("a", a), shown("b", b)}, [a, b](mistakes::Binary op) {
                       Tape tape;
                       const std::vector<Scalar> inputs = inputs_on(tape, {a, b});
                       const Scalar result = op(inputs[0], inputs[1]);
                       const std::vector<double> by = derivatives_of(tape, result, 2);
                       return Result{shown("value", result.value()), shown("derivative by a", by[0]),
                                     shown("derivative by b", by[1])};
                     }});
  return part<mistakes::Binary>("operator/", 1, ::operator/, solution::operator/, cases,
                                mistakes::of_quotient());
}

Part product_part() {
  std::vector<Case<mistakes::Product>> cases;
  const auto multiplying = [&](const std::string& call, const std::vector<double>& numbers,
                               const std::vector<std::size_t>& factors) {
    cases.push_back({call, {shown("a, b, …", numbers)}, [=](mistakes::Product product) {
                       Tape tape;
                       const std::vector<Scalar> inputs = inputs_on(tape, numbers);
                       std::vector<Scalar> chosen;
                       for (const std::size_t k : factors) chosen.push_back(inputs[k]);
                       const Scalar result = product(chosen);
                       return Result{shown("value", result.value()),
                                     shown("derivatives", derivatives_of(tape, result, numbers.size())),
                                     shown("entries written", tape.size() - numbers.size())};
                     }});
  };
  multiplying("product_of({a, b, c})", {2, 3, 4}, {0, 1, 2});
  multiplying("product_of({a, b, c, d})", {0.5, -2, 7, 3}, {0, 1, 2, 3});
  multiplying("product_of({a})", {5}, {0});
  multiplying("product_of({a, b, b})", {3, 7}, {0, 1, 1});
  multiplying("product_of({a, b, c})", {5, 0, -3}, {0, 1, 2});
  multiplying("product_of({a, b, c})", {0, 6, 0}, {0, 1, 2});
  multiplying("product_of({a, b, c, d})", {2, 3, 2, 5}, {0, 1, 2, 3});
  return part<mistakes::Product>("product_of", 2, ::product_of, solution::product_of, cases,
                                 mistakes::of_product());
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

constexpr double kDerivatives[] = {-2, -1, 1, 3};

// A tape of inputs and of numbers with two edges each, to random numbers before them.
Tape drawn_tape(Rng& rng, std::size_t inputs, std::size_t numbers) {
  Tape tape;
  for (std::size_t i = 0; i < numbers; ++i) {
    std::vector<Edge> edges;
    for (int k = 0; i >= inputs && k < 2; ++k)
      edges.push_back({static_cast<std::size_t>(rng.below(i)), kDerivatives[rng.below(4)]});
    write(tape, "op", static_cast<double>(rng.below(9)) + 1, std::move(edges));
  }
  return tape;
}

Case<mistakes::Measure> measuring(const std::string& formula, const Function& f, const std::vector<double>& x,
                                  double h) {
  return {"measured_gradient(f, x, h) with f(x) = " + formula,
          {shown("x", x), shown("h", h)},
          [=](mistakes::Measure measure) { return Result{shown("result", measure(f, x, h))}; }};
}

Part measure_part() {
  const Function cube = [](const auto& x) { return x.at(0) * x.at(0) * x.at(0); };
  const Function two = [](const auto& x) { return x.at(0) * x.at(0) * x.at(0) * x.at(1); };
  const Function three = [](const auto& x) { return x.at(0) * x.at(1) + x.at(1) * std::pow(x.at(2), 5); };
  return part<mistakes::Measure>(
      "measured_gradient", 2, ::measured_gradient, solution::measured_gradient,
      {measuring("x[0]·x[0]·x[0]", cube, {2}, 1), measuring("x[0]·x[0]·x[0]·x[1]", two, {2, 3}, 0.5),
       measuring("x[0]·x[1] + x[1]·x[2]⁵", three, {1, -2, 3}, 0.25),
       measuring("x[0]·x[0]·x[0]", cube, {-1.5}, 0.125)},
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
  return part<mistakes::AnyOrder>("gradients_in_any_order", 3, ::gradients_in_any_order,
                                  solution::gradients_in_any_order, cases, mistakes::of_any_order());
}

Case<mistakes::Fit> fitting(const std::vector<double>& xs, const std::vector<double>& ys, Curve start,
                            double rate, int steps) {
  return {"fit_curve(xs, ys, {start.a, start.b}, rate, steps)",
          {shown("xs", xs), shown("ys", ys), shown("start", std::vector<double>{start.a, start.b}),
           shown("rate", rate), shown("steps", steps)},
          [=](mistakes::Fit fit) {
            const Curve curve = fit(xs, ys, start, rate, steps);
            return Result{shown("a", curve.a), shown("b", curve.b)};
          }};
}

Part fit_part() {
  return part<mistakes::Fit>("fit_curve", 2, ::fit_curve, solution::fit_curve,
                             {fitting({1}, {1}, {1, 1}, 1, 1), fitting({1}, {1}, {1, 1}, 0.5, 2),
                              fitting({0.5, 1, 2, 4}, {0.7, 0.9, 1.4, 1.6}, {1, 3}, 1, 10),
                              fitting({3, 1, 0.5}, {1, 4, 2}, {2, 0.5}, 0.1, 3),
                              fitting({2}, {3}, {0.5, 1}, 0.1, 4), fitting({1, 2}, {1, 2}, {3, 4}, 0.1, 0)},
                             mistakes::of_fit_curve());
}

Part experiment() {
  return timed(
      experiment_part("steps_by_unit", 2, ::steps_by_unit, solution::steps_by_unit, solution::steps_needed,
                      {.setting = "u",
                       .measured = "steps",
                       .least = 1,
                       .most = 10,
                       .whole = false,
                       .wrong = mistakes::of_steps_by_unit()}),
      {"begins-again",
       "Either your loss never gets as small as 0.01: it is the mean of the squared misses, and the curve "
       "starts at {1, 3u}. Or you try 1, 2, 3, … steps, and each time from the start: then the work grows "
       "with the square of the steps. Go on from the curve that you have: one call of fit_curve, with one "
       "step, for each.",
       "Ten steps downhill"});
}

}  // namespace

int main(int argc, char** argv) {
  return grader::run(argc, argv, [] {
    return grader::Exercise{
        "02_derivatives",
        {quotient_part(), product_part(), measure_part(), any_order_part(), fit_part(), experiment()}};
  });
}
