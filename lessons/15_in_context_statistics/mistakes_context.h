// What people write in the place of part 3 of exercise 15, and what is wrong with it.
#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include "exercise.h"
#include "grader/part.h"
#include "mistakes.h"

namespace mistakes {

using InContext = Array (*)(const std::vector<int>&, std::size_t, std::size_t);

// Whether the same `order` tokens end at a and at b.
inline bool same_context(const std::vector<int>& tokens, std::size_t order, std::size_t a, std::size_t b) {
  for (std::size_t i = 0; i < order; ++i)
    if (tokens[a - i] != tokens[b - i]) return false;
  return true;
}

// Of the first `count` tokens: how many came right after the context that ends at t, and are j.
inline double came(const std::vector<int>& tokens, std::size_t order, std::size_t count, std::size_t t,
                   std::size_t j) {
  double total = 0;
  for (std::size_t s = order; s < std::min(count, tokens.size()); ++s)
    total += tokens[s] == static_cast<int>(j) && same_context(tokens, order, s - 1, t);
  return total;
}

// A table whose row t is `weight(t, j)`, divided by `total(t, the sum of the row)`. Rows without a context
// are even.
inline Array predictions(const std::vector<int>& tokens, std::size_t k, std::size_t order,
                         const std::function<double(std::size_t t, std::size_t j)>& weight,
                         const std::function<double(std::size_t t, double sum)>& total) {
  return table(tokens.size(), k, [&](std::size_t t, std::size_t j) {
    if (t + 1 < order) return 1 / static_cast<double>(k);
    double sum = 0;
    for (std::size_t i = 0; i < k; ++i) sum += weight(t, i);
    return weight(t, j) / total(t, sum);
  });
}
inline double whole_sum(std::size_t, double sum) { return sum; }

// The counts of the first t + `ahead` tokens, `more` added to each, divided by their sum and `below`.
inline Array counted(const std::vector<int>& tokens, std::size_t k, std::size_t order, double more,
                     double below, std::size_t ahead = 1) {
  return predictions(
      tokens, k, order,
      [&](std::size_t t, std::size_t j) { return came(tokens, order, t + ahead, t, j) + more; },
      [&](std::size_t, double sum) { return sum + below; });
}

inline const std::vector<Mistake<InContext>> kOfContextPrediction = {
    {"last-letter-only",
     "You look at the last letter only, whatever `order` is. With order 2, the row that draws "
     "next belongs to the last two letters together.",
     kThree,
     [](const std::vector<int>& tokens, std::size_t k, std::size_t) {
       return solution::context_prediction(tokens, k, 1);
     }},
    {"one-letter-more",
     "Your contexts are one letter too long: order 1 looks at the last letter, which is tokens[t].", kThree,
     [](const std::vector<int>& tokens, std::size_t k, std::size_t order) {
       return solution::context_prediction(tokens, k, order + 1);
     }},
    {"contexts-without-an-order",
     "You count contexts with the same letters in another order together. After a b another row draws than "
     "after b a.",
     kThree,
     [](const std::vector<int>& tokens, std::size_t k, std::size_t order) {
       const auto sorted = [&](std::size_t t) {
         const auto end = tokens.begin() + static_cast<std::ptrdiff_t>(t + 1);
         std::vector<int> context(end - static_cast<std::ptrdiff_t>(order), end);
         std::sort(context.begin(), context.end());
         return context;
       };
       return predictions(
           tokens, k, order,
           [&](std::size_t t, std::size_t j) {
             double total = 1;
             for (std::size_t s = order; s <= t; ++s)
               total += tokens[s] == static_cast<int>(j) && sorted(s - 1) == sorted(t);
             return total;
           },
           whole_sum);
     }},
    {"nothing-added",
     "You did not add 1 to the counts. A context that comes for the first time has no followers yet: 0/0 is "
     "NaN.",
     kOne,
     [](const std::vector<int>& tokens, std::size_t k, std::size_t order) {
       return counted(tokens, k, order, 0, 0);
     }},
    {"added-only-at-first",
     "You divide plain counts, and give 1/k where there are none. After one follower you then say that it "
     "always follows. Add 1 to every count, and k below.",
     kOne,
     [](const std::vector<int>& tokens, std::size_t k, std::size_t order) {
       Array p = counted(tokens, k, order, 0, 0);
       for (Real& x : p) x = std::isnan(x) ? 1 / static_cast<double>(k) : x;
       return p;
     }},
    {"no-k-below",
     "You added 1 to each count, but not k to their sum. The row adds up to more than 1, and a context that "
     "comes for the first time gets 1/0.",
     kOne,
     [](const std::vector<int>& tokens, std::size_t k, std::size_t order) {
       return counted(tokens, k, order, 1, -static_cast<double>(k));
     }},
    {"k-below-only",
     "You add k below, and not 1 to each count. The row adds up to less than 1, and a letter that has not "
     "followed yet gets the probability 0.",
     kOne,
     [](const std::vector<int>& tokens, std::size_t k, std::size_t order) {
       return counted(tokens, k, order, 0, static_cast<double>(k));
     }},
    {"one-for-all-together",
     "You add 1/k to each count, 1 for all of them together. The prior that takes all rows as equally "
     "likely adds 1 to each.",
     kOne,
     [](const std::vector<int>& tokens, std::size_t k, std::size_t order) {
       return counted(tokens, k, order, 1 / static_cast<double>(k), 0);
     }},
    {"backwards",
     "You count what came right *before* the context. The next letter follows it: when token t is read, it "
     "is a follower of the `order` tokens before it.",
     kThree,
     [](const std::vector<int>& tokens, std::size_t k, std::size_t order) {
       return predictions(
           tokens, k, order,
           [&](std::size_t t, std::size_t j) {
             double total = 1;
             for (std::size_t s = order; s <= t; ++s)
               total += tokens[s - order] == static_cast<int>(j) && same_context(tokens, order, s, t);
             return total;
           },
           whole_sum);
     }},
    {"present-context-among-the-followed",
     "You divide by how often the context has come, plus k. The present one has no follower yet, so this is "
     "one too many, and the row adds up to less than 1.",
     kThree,
     [](const std::vector<int>& tokens, std::size_t k, std::size_t order) {
       return counted(tokens, k, order, 1, 1);
     }},
    {"sees-the-answer",
     "Row t counts token t + 1 too. That is the token to be predicted. Count token t as a follower of what "
     "came before it, then write row t.",
     kThree,
     [](const std::vector<int>& tokens, std::size_t k, std::size_t order) {
       return counted(tokens, k, order, 1, 0, 2);
     }},
    {"last-follower-left-out",
     "Row t does not count token t as a follower. It has been read, and it may have followed the context "
     "that stands at t again: think of a a a. Count first, then write the row.",
     kThree,
     [](const std::vector<int>& tokens, std::size_t k, std::size_t order) {
       return counted(tokens, k, order, 1, 0, 0);
     }},
    {"context-of-the-token-before",
     "Row t predicts what follows the context that ends at token t - 1. That is tokens[t], which has been "
     "read. Take the context that ends at token t.",
     kThree,
     [](const std::vector<int>& tokens, std::size_t k, std::size_t order) {
       return predictions(
           tokens, k, order,
           [&](std::size_t t, std::size_t j) {
             return came(tokens, order, t + 1, t >= order ? t - 1 : t, j) + 1;
           },
           whole_sum);
     }},
    {"divided-by-all-contexts",
     "You divide by the number of all followers counted so far. That gives the probability of context and "
     "letter together. The probability of a letter *after the context* divides by the followers of this "
     "context.",
     kThree,
     [](const std::vector<int>& tokens, std::size_t k, std::size_t order) {
       return predictions(
           tokens, k, order,
           [&](std::size_t t, std::size_t j) { return came(tokens, order, t + 1, t, j) + 1; },
           [&](std::size_t t, double) { return static_cast<double>(t + 1 - order + k); });
     }},
    {"whole-walk-in-each-row",
     "Every row counts the whole walk, also what comes after it. Row t may count only tokens[0] … "
     "tokens[t].",
     kThree, [](const std::vector<int>& tokens, std::size_t k, std::size_t order) {
       return counted(tokens, k, order, 1, 0, tokens.size());
     }}};

}  // namespace mistakes
