// What people get wrong in parts 4 and 5 of exercise 11: a head that counts, and one that fades.
#pragma once

#include <cmath>

#include "headlight/core/math.h"
#include "mistakes.h"

namespace mistakes {

using Tokens = std::vector<std::int32_t>;
using CountingHead = std::function<Tensor(const Tokens&, std::size_t, std::size_t)>;
using FadingPattern = std::function<Tensor(std::size_t)>;

inline Tensor scores_with(const Made& made, std::size_t n, std::size_t period) {
  Array scores = zeros({n, n}).array();
  const int length = static_cast<int>(n), back = static_cast<int>(period) - (made("looks-at-the-copy") ? 0
                                                                             : made("one-too-near")    ? 2
                                                                                                       : 1);
  const double score = made("score-of-1") || made("no-softmax") ? 1 : made("score-negative") ? -20 : 20;
  const int begin = made("first-query-forgotten") ? back + 1 : 0;
  for (int i = begin; i < length - (made("last-query-forgotten") ? 1 : 0); ++i) {
    int key = made("counts-from-the-start") ? back : made("counts-ahead") ? i + back : i - back;
    if (made("early-queries-at-key-0")) key = std::max(0, key);
    if (key >= 0 && key < length) scores(i, key) = score;
    for (key -= back + 1; made("all-answers") && key >= 0; key -= back + 1) scores(i, key) = score;
  }
  return Tensor(scores);
}

inline Tensor counting_with(const Made& made, const Tokens& tokens, std::size_t V, std::size_t period) {
  const std::size_t n = tokens.size();
  Array one_hot = zeros({n, V}).array();
  for (std::size_t j = 0; j < n; ++j) {
    if (made("writes-the-next-token") && j + 1 == n) continue;
    one_hot(j, static_cast<std::size_t>(tokens[made("writes-the-next-token") ? j + 1 : j])) = 1;
  }
  const Tensor scores = scores_with(made, n, period), past = solution::lesson_07::causal_mask_of(n, n);
  Tensor allowed = made("no-mask") ? zeros({n, n}) + 1 : made("mask-inverted") ? 1 - past : past;
  if (made("itself-hidden")) allowed = allowed * (1 - transpose(past));
  if (made("mask-after-the-softmax")) return matmul(softmax(scores, -1) * allowed, Tensor(one_hot));
  if (made("no-softmax")) return matmul(scores, Tensor(one_hot));
  const Tensor kept = scores - 1e9 * (1 - allowed);
  const Tensor pattern =
      made("not-divided") ? exp(kept) : softmax(kept, made("softmax-over-queries") ? 0 : -1);
  if (made("pattern-transposed")) return matmul(transpose(pattern), Tensor(one_hot));
  return made("pattern-returned") ? pattern : matmul(pattern, Tensor(one_hot));
}

inline const std::vector<grader::Slip> kSlipsOfCounting = {
    {"looks-at-the-copy",
     "Your head looks `period` back, at the earlier copy of the token that it reads, and so "
     "says this token again. What came next stands one place later: period - 1 back.",
     kCounts},
    {"one-too-near",
     "Your head looks period - 2 back, one place past the token that came next. That one is period - 1 "
     "back.",
     kCounts},
    {"counts-from-the-start",
     "All your queries look at the same key, number period - 1: you count from the start of "
     "the sequence. Count from the query: key i - (period - 1).",
     kCounts},
    {"counts-ahead",
     "Your scores stand at key i + (period - 1), which the mask hides. Rows are queries, and what "
     "came next stands before the query: key i - (period - 1).",
     kCounts},
    {"no-mask",
     "Your softmax goes over all keys, also those behind the query. Early queries then see "
     "what comes. The causal mask has 0 where a score must be made very small, not 0, before the "
     "softmax.",
     kCounts},
    {"mask-inverted",
     "You hide the keys that a query may see, or add a large number to the scores of the others. The causal "
     "mask has 1 where a query may look; from the scores of the others subtract.",
     kCounts},
    {"mask-after-the-softmax",
     "You multiply the pattern by the mask, after the softmax. What was hidden is missing in the row's "
     "sum then: make its score very small before the softmax.",
     kCounts},
    {"softmax-over-queries",
     "Your softmax goes down the columns: the weights on a key add up to 1. The weights of a query must: "
     "axis -1.",
     kCounts},
    {"score-of-1",
     "Your score is 1. Then the right key gets only e times the weight of each other key. With "
     "20 it gets e to the 20, 485 million times.",
     kCounts},
    {"score-negative", "Your score is -20. The key that the head looks at has the largest score: 20.",
     kCounts},
    {"not-divided",
     "You take e to the scores and do not divide by the sum of the row. Weights of a query add up to 1.",
     kCounts},
    {"no-softmax",
     "You set the weights themselves, 1 and 0. Queries that have no such key then look "
     "nowhere. In a softmax their equal scores give equal weights to all keys that they may "
     "see.",
     kCounts},
    {"early-queries-at-key-0",
     "Your early queries, which have no key so far back, score key 0 with 20. All their scores "
     "are 0, so their weights are even.",
     kCounts},
    {"first-query-forgotten",
     "You begin at query `period`. Query period - 1 has such a key already: period - 1 back stands key 0.",
     kCounts},
    {"last-query-forgotten", "You leave out the last query. Queries go up to n - 1.", kCounts},
    {"itself-hidden", "Your mask hides the query's own position too. A query sees itself and all before it.",
     kCounts},
    {"all-answers",
     "Your head looks at all earlier answers: period - 1 back, 2·period - 1 back, and so on. "
     "It shall look at the nearest one only, one period before the token that it predicts.",
     kCounts},
    {"writes-the-next-token",
     "Your one-hot rows hold token j + 1. A key offers its own token: it stands where the answer stands "
     "already.",
     kCounts},
    {"pattern-transposed",
     "You transposed the pattern. Row i has the weights of query i, and meets the columns of E: pattern · E.",
     kCounts},
    {"pattern-returned", "You returned the pattern. The head writes pattern · E.", kCounts}};

inline std::vector<Mistake<CountingHead>> of_counting() {
  return slips_of<CountingHead>(counting_with, kSlipsOfCounting);
}

// The weight of key j, so many positions before its query.
inline double weight_at(const Made& made, double j, double distance) {
  if (made("linear-from-the-start")) return j + 1;
  if (made("squares-from-the-start")) return (j + 1) * (j + 1);
  for (const char* doubled : {"sum-of-doubled-weights-not-reset", "doubled-over-n", "doubled-over-its-keys",
                              "doubled-over-all-keys"})
    if (made(doubled)) return math::power(2.0, j);
  if (made("even-weights")) return 1;
  if (made("linear-weights")) return 16 - distance;
  if (made("one-by-the-distance")) return 1 / (1 + distance);
  if (made("one-by-the-square")) return 1 / (1 + distance) / (1 + distance);
  if (made("falls-too-slowly")) return math::exp(-distance / 2);
  if (made("older-keys-weigh-more")) return math::power(2.0, distance);
  if (made("only-itself")) return distance == 0 ? 1 : 0;
  return math::power(2.0, -distance);
}

// What row i is divided by.
inline double divisor_of(const Made& made, double sum, std::size_t i, std::size_t n) {
  if (made("over-n") || made("doubled-over-n")) return static_cast<double>(n);
  if (made("over-its-keys") || made("doubled-over-its-keys")) return static_cast<double>(i + 1);
  if (made("doubled-over-all-keys")) return math::power(2.0, static_cast<double>(n)) - 1;
  return made("halves-without-an-end") ? 2 : sum;
}

inline Tensor fading_with(const Made& made, std::size_t n) {
  Array pattern = zeros({n, n}).array();
  double all = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t end = made("no-mask") ? n : made("without-itself") && i > 0 ? i : i + 1;
    if (!made("sum-not-reset") && !made("sum-of-doubled-weights-not-reset")) all = 0;
    const bool early = made("divided-too-early");
    for (std::size_t j = made("first-key-left-out") ? 1
                         : made("later-keys-only")  ? i
                                                    : 0;
         j < (made("later-keys-only") ? n : end); ++j) {
      const double at = static_cast<double>(j);
      all += pattern(i, j) = weight_at(made, at, std::abs(static_cast<double>(i) - at));
      if (early) pattern(i, j) /= all;
    }
    for (std::size_t j = 0; j < n && !early && !made("not-divided"); ++j)
      if (!made("last-key-not-divided") || j != i) pattern(i, j) /= divisor_of(made, all, i, n);
    if (made("negative-weights"))
      for (std::size_t j = 0; j < n; ++j) pattern(i, j) = -pattern(i, j);
  }
  return made("row-for-column") ? transpose(Tensor(pattern)) : Tensor(pattern);
}

inline constexpr const char
    *kOverN =
        "You divide row i by n. Its weights add up to 1 when it is divided by their sum, "
        "over the keys 0 … i.",
    *kOverKeys =
        "You divide row i by the number of its keys, i + 1. Its weights are not equal, so "
        "divide by their sum.";

inline const std::vector<grader::Slip> kSlipsOfFading = {
    {"over-n", kOverN, kOneLayer},
    {"doubled-over-n", kOverN, kOneLayer},
    {"over-its-keys", kOverKeys, kOneLayer},
    {"doubled-over-its-keys", kOverKeys, kOneLayer},
    {"doubled-over-all-keys",
     "You divide each row by the sum over all n keys. Row i has only the keys 0 … i: count only these.",
     kOneLayer},
    {"halves-without-an-end",
     "Your weights are 1/2, 1/4, 1/8, … They add up to 1 only without an end. Divide each row by its sum.",
     kOneLayer},
    {"even-weights",
     "Your weights do not depend on the distance. Then the token that came least often has the least "
     "weight, whenever that was.",
     kOneLayer},
    {"linear-weights",
     "Your weights fall by the same amount at each step back. Then a token that came twice "
     "long ago outweighs one that came once just now.",
     kOneLayer},
    {"linear-from-the-start",
     "Your weights grow by the same amount from key to key: 1, 2, 3, … Then many old keys together outweigh a "
     "new one. Each key needs twice the weight of the one before it, or more.",
     kOneLayer},
    {"squares-from-the-start",
     "Your weights are squares: 1, 4, 9, … Then many old keys together outweigh a new one. Each key needs twice "
     "the weight of the one before it, or more.",
     kOneLayer},
    {"one-by-the-distance",
     "Your weights are 1/(1 + distance). Many old keys together outweigh the present one: 1/2 + 1/3 + 1/4 "
     "is more than 1.",
     kOneLayer},
    {"one-by-the-square",
     "Your weights are 1/(1 + distance)². At distances of 10 and 11 they hardly differ, so two old keys "
     "outweigh a newer one. The weights must keep falling by a factor.",
     kOneLayer},
    {"falls-too-slowly",
     "Your weights fall by a factor at each step back, but by one below 2. Then all keys "
     "before one, added up, outweigh it. Find the factor f with which 1/f + 1/f² + 1/f³ + … is "
     "at most 1.",
     kOneLayer},
    {"older-keys-weigh-more",
     "Your older keys have more weight. The head lowers what it looks at, so it must look at the tokens "
     "that were seen a short time ago.",
     kOneLayer},
    {"only-itself",
     "Your query gives all its weight to itself. Then all other tokens have the same weight, 0. Whole "
     "numbers do so too: 1 / 2 is 0 in C++.",
     kOneLayer},
    {"without-itself", "Your query gives itself no weight. Row i ends at key i.", kOneLayer},
    {"sum-not-reset", "You divide each row by the sum of all rows so far. Set the sum to 0 for each row.",
     kOneLayer},
    {"sum-of-doubled-weights-not-reset",
     "You divide each row by the sum of all rows so far. Set the sum to 0 for each row.", kOneLayer},
    {"divided-too-early",
     "You divide each weight by the sum so far, while you add up. Add up the row first, then divide all of it.",
     kOneLayer},
    {"last-key-not-divided",
     "You do not divide the weight of the query's own key. Row i ends at key i: divide up to there.",
     kOneLayer},
    {"first-key-left-out", "You leave out key 0. Keys count from 0.", kOneLayer},
    {"later-keys-only",
     "Your rows have weights on the keys behind the query, and none on those before it. Row i has the keys 0 … "
     "i.",
     kOneLayer},
    {"not-divided", "The weights of your rows do not add up to 1. Divide each row by its sum.", kOneLayer},
    {"no-mask", "Your rows have weights on keys behind the query. Row i ends at key i.", kOneLayer},
    {"negative-weights", "Your weights are negative. The head subtracts them itself.", kOneLayer},
    {"row-for-column", "You exchanged rows and columns. Row i has the weights of query i.", kOneLayer}};

inline std::vector<Mistake<FadingPattern>> of_fading() {
  return slips_of<FadingPattern>(fading_with, kSlipsOfFading);
}

}  // namespace mistakes
