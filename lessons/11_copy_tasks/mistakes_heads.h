// What people get wrong in parts 4 and 5 of exercise 11: a head that counts, and one that fades.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "headlight/core/math.h"
#include "mistakes.h"

namespace mistakes {

using Tokens = std::vector<std::int32_t>;
using CountingHead = Tensor (*)(const Tokens&, std::size_t, std::size_t);
using FadingPattern = Tensor (*)(std::size_t);

// What is done instead of what part 4 says.
struct Wrong {
  int more_back = 0;            // looks so much farther back than period - 1
  bool from_the_start = false;  // the key period - 1 itself
  bool ahead = false;           // period - 1 ahead
  bool sees_all = false;        // no causal mask
  double score = 20;
  bool over_queries = false;  // the softmax goes over columns
  bool not_divided = false;   // e to the score, not divided by the sum
  bool hard = false;          // the weight 1 and no softmax
  bool first_key = false;     // early queries look at key 0
  int first_query = 0;        // after period - 1: the first query that looks at a key so far back
  bool all_answers = false;   // also 2·period - 1 back, and so on
};

inline Tensor scores_with(std::size_t n, std::size_t period, const Wrong& wrong) {
  Array scores = zeros({n, n}).array();
  const int back = static_cast<int>(period) - 1 + wrong.more_back, length = static_cast<int>(n);
  for (int i = 0; i < length; ++i) {
    int key = i - back;
    if (wrong.from_the_start) key = back;
    if (wrong.ahead) key = i + back;
    if (wrong.first_key) key = std::max(0, key);
    if (wrong.first_query > 0 && i < back + wrong.first_query) continue;
    if (key >= 0 && key < length) scores(i, key) = wrong.score;
    for (key -= back + 1; wrong.all_answers && key >= 0; key -= back + 1) scores(i, key) = wrong.score;
  }
  return Tensor(scores);
}
inline Tensor counting_with(const Tokens& tokens, std::size_t V, std::size_t period, const Wrong& wrong,
                            const Tokens* values = nullptr) {
  const std::size_t n = tokens.size();
  Array one_hot = zeros({n, V}).array();
  const Tokens& written = values == nullptr ? tokens : *values;
  for (std::size_t j = 0; j < written.size(); ++j) one_hot(j, static_cast<std::size_t>(written[j])) = 1;
  const Tensor scores = scores_with(n, period, wrong);
  if (wrong.hard) return matmul(scores / 20, Tensor(one_hot));
  const Tensor allowed = wrong.sees_all ? zeros({n, n}) + 1 : solution::lesson_07::causal_mask_of(n, n);
  const Tensor kept = scores - 1e9 * (1 - allowed);
  if (wrong.not_divided) return matmul(exp(kept), Tensor(one_hot));
  return matmul(softmax(kept, wrong.over_queries ? 0 : -1), Tensor(one_hot));
}
template <Wrong wrong>
Tensor counting(const Tokens& tokens, std::size_t V, std::size_t period) {
  return counting_with(tokens, V, period, wrong);
}

inline const std::vector<Mistake<CountingHead>> kOfCounting = {
    {"looks-at-the-copy",
     "Your head looks `period` back, at the earlier copy of the token that it reads, and so "
     "says this token again. What came next stands one place later: period - 1 back.",
     kCounts, counting<Wrong{.more_back = 1}>},
    {"one-too-near",
     "Your head looks period - 2 back, one place past the token that came next. That one is period - 1 back.",
     kCounts, counting<Wrong{.more_back = -1}>},
    {"counts-from-the-start",
     "All your queries look at the same key, number period - 1: you count from the start of "
     "the sequence. Count from the query: key i - (period - 1).",
     kCounts, counting<Wrong{.from_the_start = true}>},
    {"counts-ahead",
     "Your scores stand at key i + (period - 1), which the mask hides. What came next stands "
     "before the query: key i - (period - 1).",
     kCounts, counting<Wrong{.ahead = true}>},
    {"no-mask",
     "Your softmax goes over all keys, also those behind the query. Early queries then see "
     "what comes. The causal mask has 0 where a score must be made very small, before the "
     "softmax.",
     kCounts, counting<Wrong{.sees_all = true}>},
    {"softmax-over-queries",
     "Your softmax goes down the columns: the weights on a key add up to 1. The weights of a query must: "
     "axis -1.",
     kCounts, counting<Wrong{.over_queries = true}>},
    {"score-of-1",
     "Your score is 1. Then the right key gets only e times the weight of each other key. With "
     "20 it gets e to the 20, 485 million times.",
     kCounts, counting<Wrong{.score = 1}>},
    {"not-divided",
     "You take e to the scores and do not divide by the sum of the row. Weights of a query add up to 1.",
     kCounts, counting<Wrong{.not_divided = true}>},
    {"no-softmax",
     "You set the weights themselves, 1 and 0. Queries that have no such key then look "
     "nowhere. In a softmax their equal scores give equal weights to all keys that they may "
     "see.",
     kCounts, counting<Wrong{.hard = true}>},
    {"early-queries-at-key-0",
     "Your early queries, which have no key so far back, score key 0 with 20. All their scores "
     "are 0, so their weights are even.",
     kCounts, counting<Wrong{.first_key = true}>},
    {"first-query-forgotten",
     "You begin at query `period`. Query period - 1 has such a key already: period - 1 back stands key 0.",
     kCounts, counting<Wrong{.first_query = 1}>},
    {"all-answers",
     "Your head looks at all earlier answers: period - 1 back, 2·period - 1 back, and so on. "
     "It shall look at the nearest one only, one period before the token that it predicts.",
     kCounts, counting<Wrong{.all_answers = true}>},
    {"writes-the-next-token",
     "Your one-hot rows hold token j + 1. A key offers its own token: it stands where the answer stands "
     "already.",
     kCounts, [](const Tokens& tokens, std::size_t V, std::size_t period) {
       const Tokens next(tokens.begin() + 1, tokens.end());
       return counting_with(tokens, V, period, {}, &next);
     }}};

// The weight of each key by its distance to the query, and what else is wrong with the pattern.
using Fading = double (*)(double distance);
struct Careless {
  bool not_divided = false;
  bool sees_all = false;   // also keys behind the query
  bool exchanged = false;  // rows and columns
};
inline Tensor fading_with(std::size_t n, Fading weight, Careless wrong = {}) {
  Array pattern = zeros({n, n}).array();
  for (std::size_t i = 0; i < n; ++i) {
    double all = 0;
    for (std::size_t j = 0; j < (wrong.sees_all ? n : i + 1); ++j)
      all += pattern(i, j) = weight(std::abs(static_cast<double>(i) - static_cast<double>(j)));
    for (std::size_t j = 0; j < n && !wrong.not_divided; ++j) pattern(i, j) /= all;
  }
  return wrong.exchanged ? transpose(Tensor(pattern)) : Tensor(pattern);
}

inline double halved(double distance) { return math::power(2.0, -distance); }
inline double even(double) { return 1; }
inline double one_by(double distance) { return 1 / (1 + distance); }
inline double one_by_square(double distance) { return 1 / (1 + distance) / (1 + distance); }
inline double linear(double distance) { return 16 - distance; }
inline double slowly(double distance) { return math::exp(-distance / 2); }
inline double doubled(double distance) { return math::power(2.0, distance); }
inline double itself(double distance) { return distance == 0 ? 1 : 0; }

template <Fading weight, Careless wrong = {}>
Tensor fading(std::size_t n) {
  return fading_with(n, weight, wrong);
}

inline const std::vector<Mistake<FadingPattern>> kOfFading = {
    {"even-weights",
     "Your weights do not depend on the distance. Then the token that came least often has the least weight, "
     "whenever that was.",
     kOneLayer, fading<even>},
    {"linear-weights",
     "Your weights fall by the same amount at each step back. Then a token that came twice "
     "long ago outweighs one that came once just now.",
     kOneLayer, fading<linear>},
    {"one-by-the-distance",
     "Your weights are 1/(1 + distance). Many old keys together outweigh the present one: 1/2 + 1/3 + 1/4 is "
     "more than 1.",
     kOneLayer, fading<one_by>},
    {"one-by-the-square",
     "Your weights are 1/(1 + distance)². At distances of 10 and 11 they hardly differ, so two old keys "
     "outweigh a newer one. The weights must keep falling by a factor.",
     kOneLayer, fading<one_by_square>},
    {"falls-too-slowly",
     "Your weights fall by a factor at each step back, but by one below 2. Then all keys "
     "before one, added up, outweigh it. Find the factor f with which 1/f + 1/f² + 1/f³ + … is "
     "at most 1.",
     kOneLayer, fading<slowly>},
    {"older-keys-weigh-more",
     "Your older keys have more weight. The head lowers what it looks at, so it must look at the tokens that "
     "were seen a short time ago.",
     kOneLayer, fading<doubled>},
    {"only-itself",
     "Your query gives all its weight to itself. Then all other tokens have the same weight, 0.", kOneLayer,
     fading<itself>},
    {"not-divided", "The weights of your rows do not add up to 1. Divide each row by its sum.", kOneLayer,
     fading<halved, Careless{.not_divided = true}>},
    {"no-mask", "Your rows have weights on keys behind the query. Row i ends at key i.", kOneLayer,
     fading<halved, Careless{.sees_all = true}>},
    {"row-for-column", "You exchanged rows and columns. Row i has the weights of query i.", kOneLayer,
     fading<halved, Careless{.exchanged = true}>}};

template <Fading weight>
void add_fading(std::vector<grader::Together<FadingPattern>>& all, const std::string& name) {
  all.push_back({{name, "not-divided"}, fading<weight, Careless{.not_divided = true}>});
  all.push_back({{name, "no-mask"}, fading<weight, Careless{.sees_all = true}>});
}
inline std::vector<grader::Together<FadingPattern>> together_in_fading() {
  std::vector<grader::Together<FadingPattern>> all;
  add_fading<even>(all, "even-weights");
  add_fading<linear>(all, "linear-weights");
  add_fading<one_by>(all, "one-by-the-distance");
  add_fading<slowly>(all, "falls-too-slowly");
  add_fading<doubled>(all, "older-keys-weigh-more");
  return all;
}

}  // namespace mistakes
