// What people get wrong in part 2 of exercise 11: the loss of the best predictor, position by position.
#pragma once

#include "headlight/core/math.h"
#include "mistakes.h"

namespace mistakes {

using BestLosses = std::function<std::vector<double>(std::size_t, std::size_t, const Periods&, std::size_t)>;

// The probability of the next target when so many tokens have been read, all different.
inline double probability_with(const Made& made, std::size_t read, std::size_t V, const Periods& periods,
                               std::size_t period) {
  const auto count = [&](auto which) {
    double all = 0;
    if (made("counts-one-behind"))
      return static_cast<double>(
          std::ranges::count_if(periods, [&](auto each) { return which(each, read - 1); }));
    for (std::size_t r = made("counts-not-reset") ? 1 : read; r <= read; ++r)
      all += static_cast<double>(std::ranges::count_if(periods, [&](auto each) { return which(each, r); }));
    return all;
  };
  const auto all = static_cast<double>(periods.size());
  double possible = count(std::greater_equal<std::size_t>());
  double longer = count(std::greater<std::size_t>());
  if (made("ruled-out-periods-counted")) longer = all - possible + longer, possible = all;
  if (made("possible-without-this-one")) possible = longer;
  if (made("all-periods-possible")) possible = all;
  if (made("all-periods-longer")) longer = all;
  const std::size_t used = made("all-tokens-can-follow") ? 0
                           : made("one-token-too-many")  ? read - 1
                           : made("one-token-too-few")   ? read + 1
                           : made("V-less-the-period")   ? period
                                                         : read;
  const double token = made("new-token-is-free") ? 1 : 1 / static_cast<double>(V - used);
  const auto share = [&](double a, double b) {
    return made("whole-number-division") ? std::floor(a / b) : a / b;
  };
  const bool ends = made("ends-one-early") ? read + 1 == period : read == period;
  if (made("period-known")) return ends ? 1 : token;
  if (made("period-paid-at-the-start")) return ends ? 1 : token / (read == 1 ? all : 1);
  if (made("period-paid-at-the-end")) return ends ? 1 / all : token;
  if (ends) return made("end-is-free") ? 1 : share(1, possible);
  if (made("longer-not-divided")) return longer * token;
  return made("going-on-is-free") ? token : share(longer, possible) * token;
}

inline std::vector<double> losses_with(const Made& made, std::size_t n, std::size_t V, const Periods& periods,
                                       std::size_t period) {
  std::vector<double> losses(n, 0);
  double sum = 0;
  for (std::size_t read = made("first-position-left-out") ? 2 : 1; read <= std::min(n, period); ++read) {
    const double p = probability_with(made, read, V, periods, period);
    double loss = made("probabilities-for-losses") ? p
                  : made("sign-forgotten")         ? math::log(p)
                                                   : -math::log(p);
    if (made("base-2")) loss /= math::log(2);
    if (made("divided-by-n")) loss /= static_cast<double>(n);
    sum += loss;
    const std::size_t at = read - 1 + (made("one-position-late") ? 1 : 0);
    if (at < n) losses[at] = made("losses-added-up") ? sum : loss;
  }
  return losses;
}

inline const std::vector<grader::Slip> kSlipsOfLosses = {
    {"period-known",
     "Your predictor knows the period: it pays for new tokens, and nothing for not knowing where the "
     "segment ends. At each position at which a segment may end, it must give a part of its probability "
     "to that.",
     kBest},
    {"period-paid-at-the-start",
     "Your predictor pays for the period at position 0. The sum is right, but at position 0 "
     "nothing depends on the period: the next token is new in any case. It pays wherever the "
     "segment may end.",
     kBest},
    {"period-paid-at-the-end",
     "Your predictor pays for the period only where the segment ends, and all of it there. Where the "
     "segment could have ended and went on, the new token was less than certain as well.",
     kBest},
    {"going-on-is-free",
     "Your predictor pays for the end of the segment, and not for its going on. Where the segment could "
     "have ended and went on, the new token was less than certain as well.",
     kBest},
    {"end-is-free",
     "Where the segment ends, your predictor is certain. It might have gone on: a part of the probability "
     "went there.",
     kBest},
    {"ruled-out-periods-counted",
     "You count all periods at each position. Once the segment is longer than a period, this period is "
     "ruled out: only those of at least i + 1 tokens are left.",
     kBest},
    {"all-periods-possible",
     "You divide by the number of all periods at each position. Once the segment is longer than a period, this "
     "period is no longer possible: count those of at least i + 1 tokens.",
     kBest},
    {"all-periods-longer",
     "You take all periods for longer ones. Count those of more than i + 1 tokens: with these the segment goes "
     "on.",
     kBest},
    {"longer-not-divided",
     "You multiply by the number of longer periods. What is asked for is their share: divide by the number of "
     "those that are possible.",
     kBest},
    {"counts-one-behind",
     "Your counts of periods are one position behind. At position i the predictor has read i + 1 tokens: "
     "possible are periods of at least i + 1.",
     kBest},
    {"ends-one-early",
     "Your segment ends one position too early. At position i the predictor has read i + 1 tokens, so that it "
     "ends where i + 1 is the period.",
     kBest},
    {"V-less-the-period",
     "Your new token is one of V less the period. The predictor does not know the period: V less the number of "
     "tokens read.",
     kBest},
    {"possible-without-this-one",
     "You count only the longer periods as possible. The one that ends here is possible too.", kBest},
    {"counts-not-reset",
     "Your counts of periods go on from the position before. Set them to 0 at each position.", kBest},
    {"new-token-is-free",
     "Your predictor knows which new token comes. It is one of V less the number of tokens read.", kBest},
    {"all-tokens-can-follow",
     "Your new token is one of V. The tokens of a segment differ, so those read so far cannot follow: V "
     "less the number of tokens read.",
     kBest},
    {"one-token-too-many",
     "Your new token is one of V - i. At position i the predictor has read i + 1 tokens.", kBest},
    {"one-token-too-few",
     "Your new token is one of V - i - 2. At position i the predictor has read i + 1 tokens.", kBest},
    {"whole-number-division",
     "You divide counts of periods as whole numbers: 1 / 2 is 0 in C++. Make one of them a double.", kBest},
    {"one-position-late",
     "Your losses stand one position too late. At position 0 one token has been read, and target 0 is the "
     "second token.",
     kBest},
    {"first-position-left-out", "Your loss at position 0 is 0. The second token is new to the predictor.",
     kBest},
    {"losses-added-up", "Your losses add up along the sequence. Each position stands for itself.", kBest},
    {"probabilities-for-losses", "You returned probabilities. The loss is -log p.", kBest},
    {"sign-forgotten", "Your losses are below 0. The loss is -log p.", kBest},
    {"base-2", "Your losses are in bits. The logarithm is the natural one, math::log.", kBest},
    {"divided-by-n",
     "You divide each loss by n. Only their mean over the sequence is divided: here each position stands "
     "for itself.",
     kBest}};

inline std::vector<Mistake<BestLosses>> of_losses() {
  return slips_of<BestLosses>(losses_with, kSlipsOfLosses);
}

}  // namespace mistakes
