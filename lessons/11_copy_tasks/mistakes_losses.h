// What people get wrong in part 2 of exercise 11: the loss of the best predictor, position by position.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "headlight/core/math.h"
#include "mistakes.h"

namespace mistakes {

using BestLosses = std::vector<double> (*)(std::size_t, std::size_t, const Periods&, std::size_t);

// What is done instead of what part 2 says.
struct Slip {
  enum { none, ignored, at_the_start, at_the_end, all_possible } period = none;  // what finding it costs
  enum { fewer, all_of_them, one_more } tokens = fewer;                          // how many can follow
  bool late = false;  // the segment ends one position later
  double factor = 1;  // of each loss
};

inline double probability(std::size_t read, std::size_t V, const Periods& periods, std::size_t period,
                          const Slip& slip) {
  const auto count = [&](auto which) {
    return static_cast<double>(std::count_if(periods.begin(), periods.end(), which));
  };
  double possible = count([=](std::size_t each) { return each >= read; });
  double longer = count([=](std::size_t each) { return each > read; });
  const auto all = static_cast<double>(periods.size());
  if (slip.period == Slip::all_possible) longer = all - possible + longer, possible = all;
  const std::size_t used = slip.tokens == Slip::all_of_them ? 0
                           : slip.tokens == Slip::one_more  ? read - 1
                                                            : read;
  const double token = 1 / static_cast<double>(V - used);
  const bool ends = read == period;
  double p = ends ? 1 / possible : longer / possible * token;
  if (slip.period == Slip::ignored) p = ends ? 1 : token;
  if (slip.period == Slip::at_the_start) p = ends ? 1 : token / (read == 1 ? all : 1);
  if (slip.period == Slip::at_the_end) p = ends ? 1 / all : token;
  return p;
}

inline std::vector<double> losses_with(std::size_t n, std::size_t V, const Periods& periods,
                                       std::size_t period, const Slip& slip) {
  std::vector<double> losses(n, 0);
  for (std::size_t read = 1; read <= std::min(n, period); ++read) {
    const std::size_t at = read - 1 + slip.late;
    if (at < n) losses[at] = -slip.factor * math::log(probability(read, V, periods, period, slip));
  }
  return losses;
}
template <Slip slip>
std::vector<double> lost(std::size_t n, std::size_t V, const Periods& periods, std::size_t period) {
  return losses_with(n, V, periods, period, slip);
}

inline const std::vector<Mistake<BestLosses>> kOfLosses = {
    {"period-known",
     "Your predictor knows the period: it pays for new tokens, and nothing for not knowing where the segment "
     "ends. At each position at which a segment may end, it must give a part of its probability to that.",
     kBest, lost<Slip{.period = Slip::ignored}>},
    {"period-paid-at-the-start",
     "Your predictor pays for the period at position 0. The sum is right, but at position 0 "
     "nothing depends on the period: the next token is new in any case. It pays wherever the "
     "segment may end.",
     kBest, lost<Slip{.period = Slip::at_the_start}>},
    {"period-paid-at-the-end",
     "Your predictor pays for the period only where the segment ends, and all of it there. Where the segment "
     "could have ended and went on, the new token was less than certain as well.",
     kBest, lost<Slip{.period = Slip::at_the_end}>},
    {"ruled-out-periods-counted",
     "You count all periods at each position. Once the segment is longer than a period, this period is ruled "
     "out: only those of at least i + 1 tokens are left.",
     kBest, lost<Slip{.period = Slip::all_possible}>},
    {"all-tokens-can-follow",
     "Your new token is one of V. The tokens of a segment differ, so those read so far cannot follow: V less "
     "the number of tokens read.",
     kBest, lost<Slip{.tokens = Slip::all_of_them}>},
    {"one-token-too-many",
     "Your new token is one of V - i. At position i the predictor has read i + 1 tokens.", kBest,
     lost<Slip{.tokens = Slip::one_more}>},
    {"one-position-late",
     "Your losses stand one position too late. At position 0 one token has been read, and target 0 is the "
     "second token.",
     kBest, lost<Slip{.late = true}>},
    {"sign-forgotten", "Your losses are below 0. The loss is -log p.", kBest, lost<Slip{.factor = -1}>},
    {"divided-by-n",
     "You divide each loss by n. Only their mean over the sequence is divided: here each position stands for "
     "itself.",
     kBest, [](std::size_t n, std::size_t V, const Periods& periods, std::size_t period) {
       return losses_with(n, V, periods, period, {.factor = 1 / static_cast<double>(n)});
     }}};

template <Slip slip>
void add_lost(std::vector<grader::Together<BestLosses>>& all, const std::vector<std::string>& names) {
  all.push_back({names, lost<slip>});
}
inline std::vector<grader::Together<BestLosses>> together_in_losses() {
  std::vector<grader::Together<BestLosses>> all;
  add_lost<Slip{.period = Slip::ignored, .tokens = Slip::all_of_them}>(
      all, {"period-known", "all-tokens-can-follow"});
  add_lost<Slip{.period = Slip::ignored, .tokens = Slip::one_more}>(all,
                                                                    {"period-known", "one-token-too-many"});
  add_lost<Slip{.period = Slip::at_the_start, .tokens = Slip::one_more}>(
      all, {"period-paid-at-the-start", "one-token-too-many"});
  add_lost<Slip{.period = Slip::at_the_end, .tokens = Slip::one_more}>(
      all, {"period-paid-at-the-end", "one-token-too-many"});
  add_lost<Slip{.period = Slip::all_possible, .tokens = Slip::one_more}>(
      all, {"ruled-out-periods-counted", "one-token-too-many"});
  add_lost<Slip{.period = Slip::ignored, .factor = -1}>(all, {"period-known", "sign-forgotten"});
  return all;
}

}  // namespace mistakes
