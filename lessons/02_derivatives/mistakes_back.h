// What people get wrong in the backward pass of exercise 2, part 4.
#pragma once

#include <deque>

#include "mistakes.h"

namespace mistakes {

// Walks over the places in this order; each number passes on what it has by then.
template <bool add = true>
std::vector<double> pass_on(const Tape& tape, std::size_t result, const std::vector<std::size_t>& order) {
  std::vector<double> gradient(tape.size(), 0);
  gradient.at(result) = 1;
  for (const std::size_t place : order)
    for (const Edge& edge : tape[place].edges)
      gradient[edge.input] = gradient[place] * edge.derivative + (add ? gradient[edge.input] : 0);
  return gradient;
}

inline std::vector<std::size_t> oldest_first(std::size_t n) {
  std::vector<std::size_t> order(n);
  for (std::size_t i = 0; i < n; ++i) order[i] = i;
  return order;
}

inline std::vector<std::size_t> newest_first(std::size_t n) {
  const auto order = oldest_first(n);
  return {order.rbegin(), order.rend()};
}

inline std::vector<std::size_t> inputs_first(const Tape& tape, std::size_t result) {
  std::vector<bool> visited(tape.size(), false);
  std::vector<std::size_t> order;
  solution::append_inputs_first(tape, result, visited, order);
  return order;
}

// The pass of the lesson's section 6.
inline void depth_first(const Tape& tape, std::size_t place, bool again, std::vector<double>& gradient,
                        std::vector<bool>& visited) {
  if (visited[place] && !again) return;
  visited[place] = true;
  for (const Edge& edge : tape[place].edges) {
    gradient[edge.input] += gradient[place] * edge.derivative;
    depth_first(tape, edge.input, again, gradient, visited);
  }
}

template <bool again>
std::vector<double> depth_first(const Tape& tape, std::size_t result) {
  std::vector<double> gradient(tape.size(), 0);
  std::vector<bool> visited(tape.size(), false);
  gradient.at(result) = 1;
  depth_first(tape, result, again, gradient, visited);
  return gradient;
}

// The right order, with another rule for what an edge passes on.
template <auto passed>
std::vector<double> passing(const Tape& tape, std::size_t result, double seed) {
  std::vector<double> gradient(tape.size(), 0);
  gradient.at(result) = seed;
  const auto order = inputs_first(tape, result);
  for (std::size_t i = order.size(); i > 0; --i)
    for (const Edge& edge : tape[order[i - 1]].edges)
      gradient[edge.input] += passed(gradient[order[i - 1]], edge.derivative);
  return gradient;
}

constexpr auto the_product = [](double gradient, double derivative) { return gradient * derivative; };
constexpr auto derivative_alone = [](double, double derivative) { return derivative; };
constexpr auto gradient_alone = [](double gradient, double) { return gradient; };

inline std::vector<double> without_seed(const Tape& tape, std::size_t result) {
  return passing<the_product>(tape, result, 0);
}

inline std::vector<double> with_values(const Tape& tape, std::size_t result) {
  return passing<the_product>(tape, result, tape.at(result).value);
}

inline std::vector<double> without_chain(const Tape& tape, std::size_t result) {
  return passing<derivative_alone>(tape, result, 1);
}

inline std::vector<double> without_derivative(const Tape& tape, std::size_t result) {
  return passing<gradient_alone>(tape, result, 1);
}

inline std::vector<double> by_place(const Tape& graph, std::size_t result) {
  return pass_on(graph, result, newest_first(graph.size()));
}

inline std::vector<double> by_place_upward(const Tape& graph, std::size_t result) {
  return pass_on(graph, result, oldest_first(graph.size()));
}

inline std::vector<double> order_not_turned(const Tape& graph, std::size_t result) {
  return pass_on(graph, result, inputs_first(graph, result));
}

inline std::vector<double> overwritten_in_order(const Tape& graph, std::size_t result) {
  const auto order = inputs_first(graph, result);
  return pass_on<false>(graph, result, {order.rbegin(), order.rend()});
}

// As they are met, each number before its inputs.
inline void append_as_met(const Tape& graph, std::size_t place, std::vector<bool>& visited,
                          std::vector<std::size_t>& order) {
  if (visited[place]) return;
  visited[place] = true;
  order.push_back(place);
  for (const Edge& edge : graph[place].edges) append_as_met(graph, edge.input, visited, order);
}

inline std::vector<double> as_met(const Tape& graph, std::size_t result) {
  std::vector<bool> visited(graph.size(), false);
  std::vector<std::size_t> order;
  append_as_met(graph, result, visited, order);
  return pass_on(graph, result, order);
}

inline std::vector<double> breadth_first(const Tape& graph, std::size_t result) {
  std::vector<bool> visited(graph.size(), false);
  std::vector<std::size_t> order;
  std::deque<std::size_t> waiting{result};
  visited[result] = true;
  for (; !waiting.empty(); waiting.pop_front()) {
    order.push_back(waiting.front());
    for (const Edge& edge : graph[waiting.front()].edges)
      if (!visited[edge.input]) {
        visited[edge.input] = true;
        waiting.push_back(edge.input);
      }
  }
  return pass_on(graph, result, order);
}

inline std::vector<double> waits_for_all_users(const Tape& graph, std::size_t result) {
  std::vector<std::size_t> open(graph.size(), 0), order{result};
  for (const Entry& entry : graph)
    for (const Edge& edge : entry.edges) ++open[edge.input];
  for (std::size_t i = 0; i < order.size(); ++i)
    for (const Edge& edge : graph[order[i]].edges)
      if (--open[edge.input] == 0) order.push_back(edge.input);
  return pass_on(graph, result, order);
}

inline std::vector<Mistake<AnyOrder>> of_orders() {
  const std::string read = "Why the order";
  return {
      {"by-place",
       "You walked from the last place to the first, as over a tape. Here a number may stand "
       "before its inputs or behind them: the order has to come from the edges.",
       read, by_place},
      {"by-place-upward",
       "You walked from the first place to the last. Here the places say nothing: the order has "
       "to come from the edges.",
       read, by_place_upward},
      {"order-not-turned-round",
       "Your order has each number behind its inputs, and you walked it from its beginning. Walk it from its "
       "end: the result passes on first.",
       read, order_not_turned},
      {"in-the-order-met",
       "You put a number into the order when you met it, before its inputs. Put it there after "
       "the visits to all of its inputs, and walk the order from its end.",
       read, as_met},
      {"breadth-first",
       "You walked breadth first, by the distance from the result. A number near the result can "
       "still receive from one that is farther away.",
       read, breadth_first},
      {"depth-first-once",
       "You passed on while you searched, each number at its first visit. What arrives later stays "
       "there. First find the whole order, then pass on.",
       read, depth_first<false>},
      {"depth-first-again",
       "You passed on all of the gradient at each arrival, so what came first is counted again. "
       "First find the whole order, then pass on once.",
       read, depth_first<true>}};
}

// In the right order.
inline std::vector<Mistake<AnyOrder>> of_passing() {
  return {
      {"overwritten",
       "The order is right, but you wrote = where += belongs. A number that is used twice receives twice.",
       "Why `+=`", overwritten_in_order},
      {"result-without-gradient",
       "All gradients are 0: the result has to begin with the gradient 1, or there is nothing to pass on.",
       "A tape", without_seed},
      {"begins-with-the-value",
       "You gave the result its value as gradient. The result moves as fast as itself, so its gradient is 1.",
       "A tape", with_values},
      {"gradient-not-multiplied",
       "You passed on the local derivatives alone. An edge passes on the number's gradient times the "
       "derivative: that is the chain rule.",
       "A tape", without_chain},
      {"derivative-not-multiplied",
       "You passed the gradient on as it is. An edge passes on the gradient times its local derivative.",
       "A tape", without_derivative},
      {"waits-for-strangers",
       "You let each number wait for all numbers that use it. Those that the result does not depend on never "
       "pass on anything: count only the others.",
       "Why the order", waits_for_all_users}};
}

inline std::vector<Mistake<AnyOrder>> of_any_order() {
  std::vector<Mistake<AnyOrder>> all = of_orders();
  for (const Mistake<AnyOrder>& mistake : of_passing()) all.push_back(mistake);
  return all;
}

inline const std::vector<Together<AnyOrder>> kTogetherInOrders = {
    {{"by-place", "overwritten"},
     [](const Tape& graph, std::size_t result) {
       return pass_on<false>(graph, result, newest_first(graph.size()));
     }},
    {{"order-not-turned-round", "overwritten"},
     [](const Tape& graph, std::size_t result) {
       return pass_on<false>(graph, result, inputs_first(graph, result));
     }},
    {{"derivative-not-multiplied", "begins-with-the-value"},
     [](const Tape& graph, std::size_t result) {
       return passing<gradient_alone>(graph, result, graph.at(result).value);
     }},
    {{"by-place", "derivative-not-multiplied"}, [](const Tape& graph, std::size_t result) {
       Tape plain = graph;
       for (Entry& entry : plain)
         for (Edge& edge : entry.edges) edge.derivative = 1;
       return by_place(plain, result);
     }}};

}  // namespace mistakes
