// What people write in the place of part 3 of exercise 15, and what is wrong with it.
#pragma once

#include <algorithm>
#include <vector>

#include "exercise.h"
#include "grader/part.h"
#include "mistakes.h"

namespace mistakes {

// How often j came right after i among the first `count` tokens.
inline double pairs(const std::vector<int>& tokens, std::size_t count, std::size_t i, std::size_t j) {
  double total = 0;
  for (std::size_t t = 1; t < std::min(count, tokens.size()); ++t)
    total += tokens[t - 1] == static_cast<int>(i) && tokens[t] == static_cast<int>(j);
  return total;
}

// How often anything came right after i among them.
inline double followed(const std::vector<int>& tokens, std::size_t count, std::size_t i, std::size_t k) {
  double total = 0;
  for (std::size_t j = 0; j < k; ++j) total += pairs(tokens, count, i, j);
  return total;
}

// (pairs i → j + more) / (all pairs from i + below), for the row of each token i and the tokens up to it.
inline Array bigrams(const std::vector<int>& tokens, std::size_t k, double more, double below,
                     std::size_t ahead = 1) {
  return table(tokens.size(), k, [&](std::size_t t, std::size_t j) {
    const auto i = static_cast<std::size_t>(tokens[t]);
    return (pairs(tokens, t + ahead, i, j) + more) / (followed(tokens, t + ahead, i, k) + below);
  });
}

inline const std::vector<Mistake<Prediction>> kOfBigramPrediction = {
    {"nothing-added",
     "You did not add 1 to the counts. A state that comes for the first time has no followers yet: 0/0 is "
     "NaN.",
     kOne, [](const std::vector<int>& tokens, std::size_t k) { return bigrams(tokens, k, 0, 0); }},
    {"added-only-at-first",
     "You divide plain counts, and give 1/k where there are none. After one follower you then say that it "
     "always follows. Add 1 to every count, and k below.",
     kOne,
     [](const std::vector<int>& tokens, std::size_t k) {
       return table(tokens.size(), k, [&](std::size_t t, std::size_t j) {
         const auto i = static_cast<std::size_t>(tokens[t]);
         const double all = followed(tokens, t + 1, i, k);
         return all > 0 ? pairs(tokens, t + 1, i, j) / all : 1 / static_cast<double>(k);
       });
     }},
    {"no-k-below",
     "You added 1 to each count, but not k to their sum. The row adds up to more than 1, and a state that "
     "comes for the first time gets 1/0.",
     kOne, [](const std::vector<int>& tokens, std::size_t k) { return bigrams(tokens, k, 1, 0); }},
    {"k-below-only",
     "You add k below, and not 1 to each count. The row adds up to less than 1, and a pair that has not come "
     "yet gets the probability 0.",
     kOne,
     [](const std::vector<int>& tokens, std::size_t k) {
       return bigrams(tokens, k, 0, static_cast<double>(k));
     }},
    {"one-for-all-together",
     "You add 1/k to each count, 1 for all of them together. The prior that takes all rows as equally "
     "likely adds 1 to each.",
     kOne,
     [](const std::vector<int>& tokens, std::size_t k) {
       return bigrams(tokens, k, 1 / static_cast<double>(k), 1);
     }},
    {"backwards",
     "You count what came right *before* i. The next state follows i: count the pairs i → j, with "
     "tokens[t - 1] = i and tokens[t] = j.",
     kThree,
     [](const std::vector<int>& tokens, std::size_t k) {
       return table(tokens.size(), k, [&](std::size_t t, std::size_t j) {
         const auto i = static_cast<std::size_t>(tokens[t]);
         double all = static_cast<double>(k);
         for (std::size_t l = 0; l < k; ++l) all += pairs(tokens, t + 1, l, i);
         return (pairs(tokens, t + 1, j, i) + 1) / all;
       });
     }},
    {"present-token-among-the-followed",
     "You divide by how often i has come, plus k. The present i has no follower yet, so this is one too "
     "many, and the row adds up to less than 1.",
     kThree,
     [](const std::vector<int>& tokens, std::size_t k) {
       return table(tokens.size(), k, [&](std::size_t t, std::size_t j) {
         const auto i = static_cast<std::size_t>(tokens[t]);
         return (pairs(tokens, t + 1, i, j) + 1) / (seen(tokens, t + 1, i) + static_cast<double>(k));
       });
     }},
    {"sees-the-answer",
     "Row t counts the pair of tokens t and t + 1 too. Token t + 1 is to be predicted. Count the pair of "
     "tokens t - 1 and t, then write row t.",
     kThree,
     [](const std::vector<int>& tokens, std::size_t k) {
       return bigrams(tokens, k, 1, static_cast<double>(k), 2);
     }},
    {"last-pair-left-out",
     "Row t does not count the pair of tokens t - 1 and t. Both have been read. (It matters when they are "
     "equal.) Count the pair first, then write the row.",
     kThree,
     [](const std::vector<int>& tokens, std::size_t k) {
       return bigrams(tokens, k, 1, static_cast<double>(k), 0);
     }},
    {"row-of-the-token-before",
     "Row t predicts what follows tokens[t - 1]. That is tokens[t], which has been read. Take the counts "
     "of i = tokens[t].",
     kThree,
     [](const std::vector<int>& tokens, std::size_t k) {
       return table(tokens.size(), k, [&](std::size_t t, std::size_t j) {
         const auto i = static_cast<std::size_t>(tokens[t > 0 ? t - 1 : 0]);
         return (pairs(tokens, t + 1, i, j) + 1) / (followed(tokens, t + 1, i, k) + static_cast<double>(k));
       });
     }},
    {"divided-by-all-pairs",
     "You divide by the number of all pairs. That gives the probability of the pair i, j. The probability of "
     "j *after i* divides by the pairs that begin with i.",
     kThree,
     [](const std::vector<int>& tokens, std::size_t k) {
       return table(tokens.size(), k, [&](std::size_t t, std::size_t j) {
         const auto i = static_cast<std::size_t>(tokens[t]);
         return (pairs(tokens, t + 1, i, j) + 1) / static_cast<double>(t + k);
       });
     }},
    {"whole-walk-in-each-row",
     "Every row counts the pairs of the whole walk, also those that come after it. Row t may count only "
     "tokens[0] … tokens[t].",
     kThree, [](const std::vector<int>& tokens, std::size_t k) {
       return bigrams(tokens, k, 1, static_cast<double>(k), tokens.size());
     }}};

}  // namespace mistakes
