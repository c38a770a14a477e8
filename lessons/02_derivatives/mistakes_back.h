// What people get wrong in the backward passes of exercise 2, parts 3 and 5.
#pragma once

#include <deque>

#include "mistakes.h"

namespace mistakes {

// Walks over the places in this order; each number hands on what it has by then.
template <bool add = true>
std::vector<double> handed_on(const Tape& tape, std::size_t result, const std::vector<std::size_t>& order) {
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

// A pass over a graph as a pass from a result.
template <AnyOrder pass>
std::vector<double> from(const Scalar& result) {
  return pass(*result.tape, result.place);
}

inline std::vector<double> overwritten(const Tape& tape, std::size_t result) {
  return handed_on<false>(tape, result, newest_first(result + 1));
}

inline std::vector<double> by_age(const Tape& tape, std::size_t result) {
  return handed_on(tape, result, oldest_first(result + 1));
}

inline std::vector<double> without_seed(const Tape& tape, std::size_t) {
  return std::vector<double>(tape.size(), 0);
}

inline std::vector<double> from_the_end(const Tape& tape, std::size_t) {
  return handed_on(tape, tape.size() - 1, newest_first(tape.size()));
}

inline std::vector<double> without_chain(const Tape& tape, std::size_t result) {
  std::vector<double> gradient(tape.size(), 0);
  gradient.at(result) = 1;
  for (const std::size_t i : newest_first(result + 1))
    for (const Edge& edge : tape[i].edges) gradient[edge.input] += edge.derivative;
  return gradient;
}

inline std::vector<double> without_derivative(const Tape& tape, std::size_t result) {
  std::vector<double> gradient(tape.size(), 0);
  gradient.at(result) = 1;
  for (const std::size_t i : newest_first(result + 1))
    for (const Edge& edge : tape[i].edges) gradient[edge.input] += gradient[i];
  return gradient;
}

inline std::vector<double> with_values(const Tape& tape, std::size_t result) {
  std::vector<double> gradient(tape.size(), 0);
  gradient.at(result) = tape[result].value;
  for (const std::size_t i : newest_first(result + 1))
    for (const Edge& edge : tape[i].edges) gradient[edge.input] += gradient[i] * edge.derivative;
  return gradient;
}

inline std::vector<Mistake<GradientsOf>> of_gradients() {
  const std::string add = "Why `+=`", order = "Why the order", tape = "A tape";
  return {
      {"overwritten",
       "You wrote = where += belongs. A number that is used twice receives twice, and = keeps only the last.",
       add, from<overwritten>},
      {"oldest-first",
       "You walked oldest first. The numbers in the middle hand on before anything has arrived at them. "
       "Begin at "
       "the result and walk down to place 0.",
       order, from<by_age>},
      {"result-without-gradient",
       "All gradients are 0: the result has to begin with the gradient 1, or there is nothing to hand on.",
       tape, from<without_seed>},
      {"from-the-end-of-the-tape",
       "You began at the last number of the tape. The pass begins at result.place; numbers behind it have "
       "the "
       "gradient 0.",
       tape, from<from_the_end>},
      {"gradient-not-multiplied",
       "You handed on the local derivatives alone. An edge hands on the number's gradient times the "
       "derivative: "
       "that is the chain rule.",
       tape, from<without_chain>},
      {"derivative-not-multiplied",
       "You handed the gradient on as it is. An edge hands on the gradient times its local derivative.", tape,
       from<without_derivative>},
      {"begins-with-the-value",
       "You gave the result its value as gradient. The result moves as fast as itself, so its gradient is 1.",
       tape, from<with_values>},
      {"depth-first-once",
       "You followed the edges depth first and visited each number once. What arrives after a visit is never "
       "handed on. Walk over the places, newest first.",
       order, from<depth_first<false>>},
      {"depth-first-again",
       "You followed the edges and handed on all of the gradient at each arrival, so what came first is "
       "counted "
       "again. Walk over the places, newest first, each once.",
       order, from<depth_first<true>>}};
}

inline std::vector<double> by_place(const Tape& graph, std::size_t result) {
  return handed_on(graph, result, newest_first(graph.size()));
}

inline std::vector<double> by_place_upward(const Tape& graph, std::size_t result) {
  return handed_on(graph, result, oldest_first(graph.size()));
}

inline std::vector<double> order_not_turned(const Tape& graph, std::size_t result) {
  return handed_on(graph, result, inputs_first(graph, result));
}

inline std::vector<double> overwritten_in_order(const Tape& graph, std::size_t result) {
  const auto order = inputs_first(graph, result);
  return handed_on<false>(graph, result, {order.rbegin(), order.rend()});
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
  return handed_on(graph, result, order);
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
  return handed_on(graph, result, order);
}

inline std::vector<double> waits_for_all_users(const Tape& graph, std::size_t result) {
  std::vector<std::size_t> open(graph.size(), 0), order{result};
  for (const Entry& entry : graph)
    for (const Edge& edge : entry.edges) ++open[edge.input];
  for (std::size_t i = 0; i < order.size(); ++i)
    for (const Edge& edge : graph[order[i]].edges)
      if (--open[edge.input] == 0) order.push_back(edge.input);
  return handed_on(graph, result, order);
}

inline std::vector<Mistake<AnyOrder>> of_any_order() {
  const std::string read = "Why the order";
  return {
      {"by-place",
       "You walked from the last place to the first, as over a tape. Here a number may stand before its "
       "inputs "
       "or behind them: the order has to come from the edges.",
       read, by_place},
      {"by-place-upward",
       "You walked from the first place to the last. Here the places say nothing: the order has to come from "
       "the "
       "edges.",
       read, by_place_upward},
      {"order-not-turned-round",
       "Your order has each number behind its inputs, and you walked it from its beginning. Walk it from its "
       "end: the result hands on first.",
       read, order_not_turned},
      {"in-the-order-met",
       "You put a number into the order when you met it, before its inputs. Put it there after the visits to "
       "all "
       "of its inputs, and walk the order from its end.",
       read, as_met},
      {"breadth-first",
       "You walked breadth first, by the distance from the result. A number near the result can still "
       "receive "
       "from one that is farther away.",
       read, breadth_first},
      {"depth-first-once",
       "You handed on while you searched, each number at its first visit. What arrives later is never handed "
       "on. "
       "First find the whole order, then hand on.",
       read, depth_first<false>},
      {"depth-first-again",
       "You handed on all of the gradient at each arrival, so what came first is counted again. First find "
       "the "
       "whole order, then hand on once.",
       read, depth_first<true>},
      {"overwritten",
       "The order is right, but you wrote = where += belongs. A number that is used twice receives twice.",
       "Why `+=`", overwritten_in_order},
      {"waits-for-strangers",
       "You let each number wait for all numbers that use it. Those that the result does not depend on never "
       "hand on anything: count only the others.",
       read, waits_for_all_users}};
}

}  // namespace mistakes
