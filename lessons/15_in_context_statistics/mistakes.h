// What people write in the place of parts 1 and 2 of exercise 15, and what is wrong with it.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "exercise.h"
#include "grader/slips.h"

namespace mistakes {

using grader::Made;
using grader::Mistake;
using grader::slips_of;

inline constexpr const char *kChain = "A chain and its matrix", *kThree = "Three strategies",
                            *kOne = "Why one is added", *kKl = "How far from the best: the KL divergence";

using ChainFrom = std::function<std::vector<int>(const Array&, int, const std::vector<double>&)>;
using Prediction = std::function<Array(const std::vector<int>&, std::size_t)>;

// The state in whose piece u lies. `end` is where the piece of the last one looked at ends.
inline std::size_t piece_with(const Made& made, const Array& m, int row, double u, double& end,
                              std::size_t last) {
  const std::size_t k = m.shape()[0];
  const auto length = [&](std::size_t j) {
    const std::size_t state = made("from-the-other-end") ? k - 1 - j : j;
    return made("columns-for-rows") ? m(state, row) : m(row, state);
  };
  if (!made("sum-not-reset")) end = 0;
  std::size_t j = made("state-not-reset") ? last : 0;
  for (; j < k; ++j) {
    end = made("not-added-up") ? length(j)
          : made("whole-sum")  ? std::trunc(end + length(j))
                               : end + length(j);
    if (j + 1 == k || (made("beginning-to-the-left") ? u <= end : u < end)) break;
  }
  if (made("one-piece-too-far")) j = std::min(k - 1, j + 1);
  if (made("one-piece-too-near") && j > 0) --j;
  return made("from-the-other-end") ? k - 1 - j : j;
}

inline std::vector<int> walked_with(const Made& made, const Array& m, int first,
                                    const std::vector<double>& draws) {
  std::vector<int> states{first};
  double end = 0;
  for (const double each : draws) {
    const double u = made("first-draw-for-all") ? draws[0] : each;
    const int row = made("never-moves-on") ? first : made("row-0-for-all") ? 0 : states.back();
    std::size_t next =
        piece_with(made, m, row, u, end, states.size() > 1 ? static_cast<std::size_t>(states.back()) : 0);
    if (made("most-likely-state")) {
      next = 0;
      for (std::size_t j = 1; j < m.shape()[0]; ++j)
        if (m(row, j) > m(row, next)) next = j;
    }
    states.push_back(static_cast<int>(next));
  }
  if (made("first-left-out")) states.erase(states.begin());
  if (made("last-draw-left-out")) states.pop_back();
  if (made("first-draw-left-out") && states.size() > 1) states.erase(states.begin() + 1);
  return states;
}

inline const std::vector<grader::Slip> kSlipsOfChainFrom = {
    {"columns-for-rows",
     "You read the probabilities from a column of the matrix. Those of the states that follow state i are "
     "in its row, matrix(i, j).",
     kChain},
    {"never-moves-on",
     "You draw every state from the row of `first`. After each step the row is that of the state that you "
     "have just reached.",
     kChain},
    {"row-0-for-all",
     "You draw every state from row 0. The row is that of the state that you have just reached.", kChain},
    {"first-draw-for-all", "You use the first number of `draws` for every step. Each step has its own.",
     kChain},
    {"not-added-up",
     "You compare u with each probability alone. The piece of state j ends with p_0 + … + p_j: add the "
     "probabilities up as you go.",
     kChain},
    {"sum-not-reset", "You add on to the sum of the step before. Each step begins with the sum 0.", kChain},
    {"state-not-reset", "You go on from the state of the step before. Each step looks from state 0 on.",
     kChain},
    {"whole-sum", "Your sum of the probabilities is a whole number: an int holds it. Take a double.", kChain},
    {"one-piece-too-far",
     "You take the state after the right one. Add p_j to the sum before you compare with u: the piece of "
     "state j ends with p_0 + … + p_j, p_j among them.",
     kChain},
    {"one-piece-too-near", "You take the state before the right one.", kChain},
    {"beginning-to-the-left",
     "Where u is just where a piece begins, you take the piece before it. The beginning belongs to the "
     "piece: go on while u >= end, not while u > end.",
     kChain},
    {"first-left-out", "Your walk lacks its first state. `first` comes before all that is drawn.", kChain},
    {"first-draw-left-out",
     "Your walk lacks the state that the first number of `draws` chooses. Count from 0.", kChain},
    {"last-draw-left-out",
     "Your walk is one state too short. There is one state for each number of `draws`, and `first` before "
     "them.",
     kChain},
    {"most-likely-state",
     "You always go to the most likely state. A chain draws: a state of probability 0.2 follows in one "
     "case of five.",
     kChain},
    {"from-the-other-end",
     "You put the pieces on the line from the last state to the first. They lie in the order 0, 1, 2, …, "
     "so that a small u means state 0.",
     kChain}};

inline std::vector<Mistake<ChainFrom>> of_chain_from() {
  return slips_of<ChainFrom>(walked_with, kSlipsOfChainFrom);
}

// Row t of a prediction, which has so many counts, and what is added to each count and to their sum.
inline double share_with(const Made& made, const std::vector<double>& counts, std::size_t j,
                         double divisor_of_rows) {
  const double k = static_cast<double>(counts.size());
  const auto more = [&](double count) {
    return made("nothing-added") || made("k-below-only") ? count
           : made("one-only-for-the-unseen")             ? std::max(1.0, count)
           : made("one-for-all-together")                ? count + 1 / k
           : made("two-added")                           ? count + 2
                                                         : count + 1;
  };
  double sum = 0, plain = 0;
  for (const double count : counts) sum += more(count), plain += count;
  if (made("no-k-below")) sum = plain;
  if (made("k-below-only")) sum = plain + k;
  if (made("one-below")) sum = plain + 1;
  if (made("counts-for-probabilities")) return more(counts[j]);
  const double divisor = divisor_of_rows > 0 ? divisor_of_rows : sum;
  return made("whole-number-division") ? std::floor(more(counts[j]) / divisor) : more(counts[j]) / divisor;
}

inline Array unigrams_with(const Made& made, const std::vector<int>& tokens, std::size_t k) {
  const std::size_t n = tokens.size();
  Array p = zeros({n, k}).array();
  for (std::size_t t = 0; t < n; ++t) {
    const std::size_t end = made("sees-the-answer")          ? std::min(t + 2, n)
                            : made("present-token-left-out") ? t
                            : made("whole-walk-in-each-row") ? n
                                                             : t + 1;
    std::vector<double> counts(k, 0);
    for (std::size_t s = made("counts-begun-anew") && end > 0 ? end - 1 : 0; s < end; ++s)
      ++counts[static_cast<std::size_t>(tokens[s])];
    const double divisor = made("counts-begun-anew")       ? static_cast<double>(t + 1 + k)
                           : made("t-for-t-plus-one")      ? static_cast<double>(t + k)
                           : made("length-for-t-plus-one") ? static_cast<double>(n + k)
                           : made("t-plus-two")            ? static_cast<double>(t + 2 + k)
                                                           : 0;
    for (std::size_t j = 0; j < k; ++j) p(t, j) = share_with(made, counts, j, divisor);
  }
  return p;
}

// The slips in what is added, which parts 2 and 3 have in common.
inline std::vector<grader::Slip> with_counts(std::vector<grader::Slip> slips) {
  const std::vector<grader::Slip> common = {
      {"nothing-added",
       "You did not add 1 to the counts. What has not come yet gets the probability 0, and its loss is "
       "infinite when it comes; where nothing has come, 0/0 is NaN.",
       kOne},
      {"no-k-below",
       "You added 1 to each count, but not k to their sum. The row adds up to more than 1: k counts have "
       "grown by 1 each, so their sum has grown by k.",
       kOne},
      {"one-below",
       "You added 1 to each count, and 1 to their sum. k counts have grown by 1 each, so their sum has grown "
       "by k.",
       kOne},
      {"k-below-only",
       "You add k below, and not 1 to each count. The row adds up to less than 1, and what has not come yet "
       "gets the probability 0.",
       kOne},
      {"one-only-for-the-unseen",
       "You add 1 only to counts that are 0. Then a state that came once is as likely as one that never "
       "came. Add 1 to every count.",
       kOne},
      {"one-for-all-together",
       "You add 1/k to each count, 1 for all of them together. The prior that takes all rows as equally "
       "likely adds 1 to each.",
       kOne},
      {"two-added",
       "You add 2 to each count. The prior that takes all rows as equally likely adds 1 to each.", kOne},
      {"whole-number-division", "You divide whole numbers, and 1 / 2 is 0 in C++. Make one of them a double.",
       kThree},
      {"counts-for-probabilities", "You return counts. Divide each row by its sum, so that it adds up to 1.",
       kThree}};
  slips.insert(slips.end(), common.begin(), common.end());
  return slips;
}

inline const std::vector<grader::Slip> kSlipsOfUnigramPrediction = with_counts(
    {{"t-for-t-plus-one",
      "You divide by t + k. Row t has read t + 1 tokens, since t counts from 0, so its counts add up "
      "to t + 1 + k.",
      kThree},
     {"t-plus-two",
      "You divide by t + 2 + k. Row t has read t + 1 tokens, so its counts add up to t + 1 + k.", kThree},
     {"length-for-t-plus-one",
      "You divide each row by the length of the walk and k. Row t has read t + 1 tokens, so its counts "
      "add up to t + 1 + k.",
      kThree},
     {"sees-the-answer",
      "Row t counts token t + 1 too. That is the token to be predicted. Count tokens[0] … tokens[t].",
      kThree},
     {"present-token-left-out",
      "Row t does not count token t. It has been read, and the next one is to be predicted. Count "
      "tokens[0] … tokens[t], then write the row.",
      kThree},
     {"counts-begun-anew",
      "Your counts begin anew in each row, so that only one token counts. Make them once, before the "
      "loop.",
      kThree},
     {"whole-walk-in-each-row",
      "Every row counts the whole walk, also what comes after it. Row t may count only tokens[0] … "
      "tokens[t].",
      kThree}});

inline std::vector<Mistake<Prediction>> of_unigram_prediction() {
  return slips_of<Prediction>(unigrams_with, kSlipsOfUnigramPrediction);
}

}  // namespace mistakes
