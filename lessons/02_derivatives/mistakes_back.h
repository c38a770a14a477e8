// What people get wrong in the backward pass of exercise 2, part 4.
#pragma once

#include "mistakes.h"

namespace mistakes {

using AnyOrder = std::function<std::vector<double>(const Tape&, std::size_t)>;
using Places = std::vector<std::size_t>;

// All that `place` depends on: behind its inputs, or as met.
inline void append(const Made& made, const Tape& graph, std::size_t place, std::vector<bool>& visited,
                   Places& order) {
  if (visited[place]) return;
  visited[place] = !made("visits-not-marked");
  if (made("in-the-order-met")) order.push_back(place);
  std::size_t edges = graph[place].edges.size();
  if (made("first-edges-only")) edges = std::min<std::size_t>(edges, 1);
  for (std::size_t k = 0; k < edges; ++k) append(made, graph, graph[place].edges[k].input, visited, order);
  if (!made("in-the-order-met")) order.push_back(place);
}

inline Places breadth_first(const Tape& graph, std::size_t result) {
  Places order{result};
  for (std::size_t i = 0; i < order.size(); ++i)
    for (const Edge& edge : graph[order[i]].edges)
      if (std::ranges::find(order, edge.input) == order.end()) order.push_back(edge.input);
  return order;
}

// Each number when all numbers that use it have passed on.
inline Places when_users_are_done(const Tape& graph, std::size_t result) {
  std::vector<std::size_t> open(graph.size(), 0);
  Places order{result};
  for (const Entry& entry : graph)
    for (const Edge& edge : entry.edges) ++open[edge.input];
  for (std::size_t i = 0; i < order.size(); ++i)
    for (const Edge& edge : graph[order[i]].edges)
      if (--open[edge.input] == 0) order.push_back(edge.input);
  return order;
}

// The order in which the numbers pass on.
inline Places order_of(const Made& made, const Tape& graph, std::size_t result) {
  Places order;
  if (made("breadth-first")) return breadth_first(graph, result);
  if (made("waits-for-strangers")) return when_users_are_done(graph, result);
  if (made("by-place") || made("by-place-upward"))
    for (std::size_t i = 0; i < graph.size(); ++i) order.push_back(i);
  std::vector<bool> visited(graph.size(), false);
  if (order.empty())
    append(made, graph, made("order-from-the-last-place") ? graph.size() - 1 : result, visited, order);
  const bool as_it_is = made("by-place-upward") || made("order-not-turned-round");
  if (as_it_is == made("in-the-order-met")) std::ranges::reverse(order);
  return order;
}

inline void pass_on(const Made& made, const Edge& edge, double of_number, std::vector<double>& gradient) {
  if (made("gradient-of-the-input")) of_number = gradient[edge.input];
  const double passed = made("derivative-added")
                            ? of_number + edge.derivative
                            : (made("gradient-not-multiplied") ? 1 : of_number) *
                                  (made("derivative-not-multiplied") ? 1 : edge.derivative);
  gradient[edge.input] = made("overwritten") ? passed : gradient[edge.input] + passed;
}

// The pass of the lesson's section 6.
inline void depth_first(const Made& made, const Tape& graph, std::size_t place, std::vector<double>& gradient,
                        std::vector<bool>& visited) {
  if (visited[place] && made("depth-first-once")) return;
  visited[place] = true;
  for (const Edge& edge : graph[place].edges) {
    pass_on(made, edge, gradient[place], gradient);
    depth_first(made, graph, edge.input, gradient, visited);
  }
}

inline std::vector<double> in_any_order(const Made& made, const Tape& graph, std::size_t result) {
  std::vector<double> gradient(graph.size(), made("all-begin-with-1") ? 1 : 0);
  gradient.at(made("seed-at-the-last-place") ? graph.size() - 1 : result) =
      made("result-without-gradient") ? 0
      : made("begins-with-the-value") ? graph.at(result).value
                                      : 1;
  if (made("depth-first-once") || made("depth-first-again")) {
    std::vector<bool> visited(graph.size(), false);
    depth_first(made, graph, result, gradient, visited);
    return gradient;
  }
  const Places order = order_of(made, graph, result);
  for (std::size_t k = 0; k < order.size(); ++k) {
    const std::size_t index =
        order.size() - 1 - k;  // in an order with inputs first, which is walked from its end
    for (const Edge& edge : graph[order[k]].edges)
      pass_on(made, edge,
              made("value-passed-on")   ? graph[order[k]].value
              : made("index-for-place") ? gradient[index % gradient.size()]
                                        : gradient[order[k]],
              gradient);
  }
  return gradient;
}

inline constexpr const char* kOrder = "Why the order";

inline const std::vector<grader::Slip> kSlipsOfAnyOrder = {
    {"by-place",
     "You walked from the last place to the first, as over a tape. Here a number may stand "
     "before its inputs or behind them: the order has to come from the edges.",
     kOrder},
    {"by-place-upward",
     "You walked from the first place to the last. Here the places say nothing: the order has "
     "to come from the edges.",
     kOrder},
    {"order-not-turned-round",
     "Your order has each number behind its inputs, and you walked it from its beginning. Walk it from "
     "its end: the result passes on first.",
     kOrder},
    {"in-the-order-met",
     "You put a number into the order when you met it, before its inputs. Put it there after "
     "the visits to all of its inputs, and walk the order from its end.",
     kOrder},
    {"order-from-the-last-place",
     "You searched from the last place. Search from `result`, wherever it stands.", kOrder},
    {"visits-not-marked",
     "You did not mark what you visited, so a number comes into the order once for each path that leads "
     "to it, and passes on as often.",
     kOrder},
    {"first-edges-only", "Your search follows the first edge of each number alone. Follow all of them.",
     kOrder},
    {"breadth-first",
     "You walked breadth first, by the distance from the result. A number near the result can "
     "still receive from one that is farther away.",
     kOrder},
    {"depth-first-once",
     "You passed on while you searched, each number at its first visit. What arrives later stays "
     "there. First find the whole order, then pass on.",
     kOrder},
    {"depth-first-again",
     "You passed on all of the gradient at each arrival, so what came first is counted again. "
     "First find the whole order, then pass on once.",
     kOrder},
    {"waits-for-strangers",
     "You let each number wait for all numbers that use it. Those that the result does not depend on "
     "never pass on anything: count only the others.",
     kOrder},
    {"overwritten", "You wrote = where += belongs. A number that is used twice receives twice.", kAdding},
    {"result-without-gradient",
     "All gradients are 0: the result has to begin with the gradient 1, or there is nothing to pass on.",
     kTape},
    {"begins-with-the-value",
     "You gave the result its value as gradient. The result moves as fast as itself, so its gradient is "
     "1.",
     kTape},
    {"seed-at-the-last-place",
     "You gave the gradient 1 to the last place. It belongs to `result`, wherever that stands.", kTape},
    {"all-begin-with-1",
     "Every gradient begins with 1. Only that of the result does; the others begin with 0.", kTape},
    {"gradient-not-multiplied",
     "You passed on the local derivatives alone. An edge passes on the number's gradient times the "
     "derivative: that is the chain rule.",
     kTape},
    {"gradient-of-the-input",
     "The result passes on nothing. Either you multiply by the gradient of the input, which is still 0: an "
     "edge passes on the gradient of the number that has the edge. Or you leave out the end of the order, "
     "where the result stands.",
     kTape},
    {"value-passed-on",
     "You passed on the number's value times the derivative. It is the number's gradient that is passed on.",
     kTape},
    {"index-for-place",
     "You took gradient[i] where the number stands at order[i]. The order holds places: gradient[order[i]].",
     kOrder},
    {"derivative-added", "You added gradient and derivative. An edge passes on their product.", kTape},
    {"derivative-not-multiplied",
     "You passed the gradient on as it is. An edge passes on the gradient times its local derivative.",
     kTape}};

inline std::vector<Mistake<AnyOrder>> of_any_order() {
  return slips_of<AnyOrder>(in_any_order, kSlipsOfAnyOrder);
}

}  // namespace mistakes
