// What people write in the place of parts 1 and 2 of exercise 15, and what is wrong with it.
#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include "exercise.h"
#include "grader/part.h"

namespace mistakes {

using grader::Mistake;

inline constexpr const char *kChain = "A chain and its matrix", *kThree = "Three strategies",
                            *kOne = "Why one is added", *kKl = "How far from the best: the KL divergence";

using ChainFrom = std::vector<int> (*)(const Array&, int, const std::vector<double>&);
using Prediction = Array (*)(const std::vector<int>&, std::size_t);

// A walk whose next state is `choose(now, u)`.
inline std::vector<int> walked(int first, const std::vector<double>& draws,
                               const std::function<std::size_t(int now, double u)>& choose) {
  std::vector<int> states{first};
  for (const double u : draws) states.push_back(static_cast<int>(choose(states.back(), u)));
  return states;
}

// The piece of the line in which u lies; of state j it has the length `length(j)`.
inline std::size_t piece(std::size_t k, double u, const std::function<double(std::size_t j)>& length) {
  std::size_t j = 0;
  double end = length(0);
  while (j + 1 < k && u >= end) end += length(++j);
  return j;
}

inline const std::vector<Mistake<ChainFrom>> kOfChainFrom = {
    {"columns-for-rows",
     "You read the probabilities from a column of the matrix. Those of the states that follow state i are "
     "in its row, matrix(i, j).",
     kChain,
     [](const Array& m, int first, const std::vector<double>& draws) {
       return walked(first, draws, [&](int now, double u) {
         return piece(m.shape()[0], u, [&](std::size_t j) { return m(j, now); });
       });
     }},
    {"never-moves-on",
     "You draw every state from the row of `first`. After each step the row is that of the state that you "
     "have just reached.",
     kChain,
     [](const Array& m, int first, const std::vector<double>& draws) {
       return walked(first, draws, [&](int, double u) {
         return piece(m.shape()[0], u, [&](std::size_t j) { return m(first, j); });
       });
     }},
    {"not-added-up",
     "You compare u with each probability alone. The piece of state j ends with p_0 + … + p_j: add the "
     "probabilities up as you go.",
     kChain,
     [](const Array& m, int first, const std::vector<double>& draws) {
       return walked(first, draws, [&](int now, double u) {
         std::size_t j = 0;
         while (j + 1 < m.shape()[0] && u >= m(now, j)) ++j;
         return j;
       });
     }},
    {"one-piece-too-far",
     "You take the state after the right one. Add p_j to the sum before you compare with u: the piece of "
     "state j ends with p_0 + … + p_j, p_j among them.",
     kChain,
     [](const Array& m, int first, const std::vector<double>& draws) {
       return walked(first, draws, [&](int now, double u) {
         const std::size_t k = m.shape()[0];
         return std::min(k - 1, 1 + piece(k, u, [&](std::size_t j) { return m(now, j); }));
       });
     }},
    {"beginning-to-the-left",
     "Where u is just where a piece begins, you take the piece before it. The beginning belongs to the "
     "piece: go on while u >= end, not while u > end.",
     kChain,
     [](const Array& m, int first, const std::vector<double>& draws) {
       return walked(first, draws, [&](int now, double u) {
         std::size_t j = 0;
         double end = m(now, 0);
         while (j + 1 < m.shape()[0] && u > end) end += m(now, ++j);
         return j;
       });
     }},
    {"first-left-out", "Your walk lacks its first state. `first` comes before all that is drawn.", kChain,
     [](const Array& m, int first, const std::vector<double>& draws) {
       std::vector<int> states = solution::chain_from(m, first, draws);
       states.erase(states.begin());
       return states;
     }},
    {"last-draw-left-out",
     "Your walk is one state too short. There is one state for each number of `draws`, and `first` before "
     "them.",
     kChain,
     [](const Array& m, int first, const std::vector<double>& draws) {
       std::vector<int> states = solution::chain_from(m, first, draws);
       states.pop_back();
       return states;
     }},
    {"most-likely-state",
     "You always go to the most likely state. A chain draws: a state of probability 0.2 follows in one case "
     "of five.",
     kChain,
     [](const Array& m, int first, const std::vector<double>& draws) {
       return walked(first, draws, [&](int now, double) {
         std::size_t best = 0;
         for (std::size_t j = 1; j < m.shape()[0]; ++j)
           if (m(now, j) > m(now, best)) best = j;
         return best;
       });
     }},
    {"from-the-other-end",
     "You put the pieces on the line from the last state to the first. They lie in the order 0, 1, 2, …, so "
     "that a small u means state 0.",
     kChain, [](const Array& m, int first, const std::vector<double>& draws) {
       return walked(first, draws, [&](int now, double u) {
         const std::size_t k = m.shape()[0];
         return k - 1 - piece(k, u, [&](std::size_t j) { return m(now, k - 1 - j); });
       });
     }}};

// Each number of a table (n,k) by its row and column.
inline Array table(std::size_t n, std::size_t k,
                   const std::function<double(std::size_t t, std::size_t j)>& number) {
  Array p = zeros({n, k}).array();
  for (std::size_t t = 0; t < n; ++t)
    for (std::size_t j = 0; j < k; ++j) p(t, j) = number(t, j);
  return p;
}

// How often j is among the first `count` tokens.
inline double seen(const std::vector<int>& tokens, std::size_t count, std::size_t j) {
  double total = 0;
  for (std::size_t t = 0; t < std::min(count, tokens.size()); ++t) total += tokens[t] == static_cast<int>(j);
  return total;
}

inline const std::vector<Mistake<Prediction>> kOfUnigramPrediction = {
    {"nothing-added",
     "You did not add 1 to the counts. A state that has not come yet gets the probability 0, and its loss "
     "is infinite when it comes.",
     kOne,
     [](const std::vector<int>& tokens, std::size_t k) {
       return table(tokens.size(), k, [&](std::size_t t, std::size_t j) {
         return seen(tokens, t + 1, j) / static_cast<double>(t + 1);
       });
     }},
    {"no-k-below",
     "You added 1 to each count, but not k to their sum. The row adds up to more than 1: k counts have "
     "grown by 1 each, so their sum has grown by k.",
     kOne,
     [](const std::vector<int>& tokens, std::size_t k) {
       return table(tokens.size(), k, [&](std::size_t t, std::size_t j) {
         return (seen(tokens, t + 1, j) + 1) / static_cast<double>(t + 1);
       });
     }},
    {"k-below-only",
     "You add k below, and not 1 to each count. The row adds up to less than 1, and a state that has not "
     "come yet gets the probability 0.",
     kOne,
     [](const std::vector<int>& tokens, std::size_t k) {
       return table(tokens.size(), k, [&](std::size_t t, std::size_t j) {
         return seen(tokens, t + 1, j) / static_cast<double>(t + 1 + k);
       });
     }},
    {"t-for-t-plus-one",
     "You divide by t + k. Row t has read t + 1 tokens, since t counts from 0, so its counts add up to "
     "t + 1 + k.",
     kThree,
     [](const std::vector<int>& tokens, std::size_t k) {
       return table(tokens.size(), k, [&](std::size_t t, std::size_t j) {
         return (seen(tokens, t + 1, j) + 1) / static_cast<double>(t + k);
       });
     }},
    {"sees-the-answer",
     "Row t counts token t + 1 too. That is the token to be predicted. Count tokens[0] … tokens[t].", kThree,
     [](const std::vector<int>& tokens, std::size_t k) {
       return table(tokens.size(), k, [&](std::size_t t, std::size_t j) {
         return (seen(tokens, t + 2, j) + 1) / static_cast<double>(std::min(t + 2, tokens.size()) + k);
       });
     }},
    {"present-token-left-out",
     "Row t does not count token t. It has been read, and the next one is to be predicted. Count "
     "tokens[0] … tokens[t], then write the row.",
     kThree,
     [](const std::vector<int>& tokens, std::size_t k) {
       return table(tokens.size(), k, [&](std::size_t t, std::size_t j) {
         return (seen(tokens, t, j) + 1) / static_cast<double>(t + k);
       });
     }},
    {"whole-walk-in-each-row",
     "Every row counts the whole walk, also what comes after it. Row t may count only tokens[0] … "
     "tokens[t].",
     kThree,
     [](const std::vector<int>& tokens, std::size_t k) {
       return table(tokens.size(), k, [&](std::size_t, std::size_t j) {
         return (seen(tokens, tokens.size(), j) + 1) / static_cast<double>(tokens.size() + k);
       });
     }},
    {"one-only-for-the-unseen",
     "You add 1 only to counts that are 0. Then a state that came once is as likely as one that never came. "
     "Add 1 to every count.",
     kOne,
     [](const std::vector<int>& tokens, std::size_t k) {
       return table(tokens.size(), k, [&](std::size_t t, std::size_t j) {
         double total = 0;
         for (std::size_t i = 0; i < k; ++i) total += std::max(1.0, seen(tokens, t + 1, i));
         return std::max(1.0, seen(tokens, t + 1, j)) / total;
       });
     }},
    {"one-for-all-together",
     "You add 1/k to each count, 1 for all of them together. The prior that takes all rows as equally "
     "likely adds 1 to each.",
     kOne,
     [](const std::vector<int>& tokens, std::size_t k) {
       return table(tokens.size(), k, [&](std::size_t t, std::size_t j) {
         return (seen(tokens, t + 1, j) + 1 / static_cast<double>(k)) / static_cast<double>(t + 2);
       });
     }},
    {"counts-for-probabilities", "You return counts. Divide each row by its sum, so that it adds up to 1.",
     kThree, [](const std::vector<int>& tokens, std::size_t k) {
       return table(tokens.size(), k,
                    [&](std::size_t t, std::size_t j) { return seen(tokens, t + 1, j) + 1; });
     }}};

}  // namespace mistakes
