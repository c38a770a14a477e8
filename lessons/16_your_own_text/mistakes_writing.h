// What people get wrong in part 4 of exercise 16: the probabilities of the next token.
#pragma once

#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

#include "mistakes.h"

namespace mistakes {

using Numbers = std::vector<double>;
using Probabilities = std::function<Numbers(const Numbers&, double, std::size_t)>;

// Which tokens count, from the largest logit on.
inline std::vector<std::size_t> counting(const Made& made, const Numbers& logits, double temperature,
                                         std::size_t top_k) {
  std::vector<std::size_t> order(logits.size());
  std::iota(order.begin(), order.end(), 0);
  if (made("later-of-equal-ones")) std::reverse(order.begin(), order.end());
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return made("smallest-ones") ? logits[a] < logits[b] : logits[a] > logits[b];
  });
  std::size_t kept = top_k == 0 ? (made("0-keeps-one") ? 1 : logits.size()) : top_k;
  if (made("top-k-ignored")) kept = logits.size();
  if (top_k > 0 && made("one-too-many")) ++kept;
  if (top_k > 0 && made("one-too-few")) kept = std::max<std::size_t>(kept, 2) - 1;
  const bool only_one = temperature == 0 && !made("0-as-1") && !made("0-shares");
  if (only_one) kept = 1;
  kept = std::min(kept, logits.size());
  if (((made("all-equal-ones") && !only_one) || made("all-equal-ones-at-0-too")) && kept > 0)
    while (kept < logits.size() && logits[order[kept]] == logits[order[kept - 1]]) ++kept;
  order.resize(kept);
  return order;
}

inline Numbers probabilities(const Made& made, const Numbers& logits, double temperature, std::size_t top_k) {
  std::vector<std::size_t> kept = counting(made, logits, temperature, top_k);
  if (temperature == 0 && made("divides-by-0")) kept = counting(made, logits, 1, top_k);
  const double T = temperature == 0                ? (made("divides-by-0") ? 0 : 1)
                   : made("temperature-ignored")   ? 1
                   : made("multiplied")            ? 1 / temperature
                   : made("square-of-temperature") ? temperature * temperature
                                                   : temperature;
  const double largest = *std::max_element(logits.begin(), logits.end());
  const auto is_kept = [&](std::size_t i) { return std::find(kept.begin(), kept.end(), i) != kept.end(); };
  Numbers p(logits.size(), 0);
  double total = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const bool counts = is_kept(i);
    if (temperature == 0 && made("0-shares")) {
      p[i] = logits[i] == largest ? 1 : 0;
    } else if (counts || made("not-shared-anew") || made("hidden-logits-0")) {
      const double logit = counts || !made("hidden-logits-0") ? logits[i] : 0;
      p[i] = made("overflows") ? math::exp(logit / T) : math::exp((logit - largest) / T);
    }
    total += p[i];
  }
  for (std::size_t i = 0; i < p.size(); ++i) p[i] = made("not-divided") ? p[i] : p[i] / total;
  if (made("not-shared-anew"))
    for (std::size_t i = 0; i < p.size(); ++i)
      if (!is_kept(i)) p[i] = 0;
  if (made("divided-after-the-softmax") && temperature > 0)
    for (double& each : p) each /= temperature;
  if (made("in-falling-order")) std::sort(p.rbegin(), p.rend());
  if (made("logarithms"))
    for (double& each : p) each = math::log(each);
  return p;
}

inline const std::vector<Slip> kOfProbabilities = {
    {"multiplied",
     "You multiply the logits by the temperature. They are divided by it: below 1 the differences grow.",
     kWriting},
    {"temperature-ignored", "The temperature changes nothing in your numbers. Divide the logits by it.",
     kWriting},
    {"divided-after-the-softmax",
     "You divide the probabilities by the temperature. Divide the logits, before the softmax.", kWriting},
    {"square-of-temperature", "You divide by the temperature twice. Divide the logits by it once.", kWriting},
    {"0-as-1",
     "At temperature 0 you give the probabilities of temperature 1. The token with the largest logit gets 1.",
     kWriting},
    {"divides-by-0",
     "At temperature 0 you divide by 0, which gives NaN. There the token with the largest logit gets 1.",
     kWriting},
    {"0-shares",
     "At temperature 0 you share the 1 among all tokens with the largest logit. The smallest of them gets "
     "it.",
     kWriting},
    {"top-k-ignored", "All tokens count in your numbers. Only the top_k largest do.", kWriting},
    {"0-keeps-one", "With top_k = 0 you keep one token. There all of them count.", kWriting},
    {"one-too-many", "You keep top_k + 1 tokens. Only top_k count.", kWriting},
    {"one-too-few", "You keep top_k - 1 tokens. It should be top_k of them.", kWriting},
    {"smallest-ones", "You keep the smallest logits. The largest ones count.", kWriting},
    {"all-equal-ones",
     "You keep all tokens whose logit is as large as that of the last one that counts. Only top_k count: of "
     "equal ones the smaller tokens.",
     kWriting},
    {"all-equal-ones-at-0-too",
     "You keep all tokens whose logit is as large as that of the last one that counts, at temperature 0 too. "
     "Only top_k count, and only one at temperature 0: of equal ones the smaller tokens.",
     kWriting},
    {"later-of-equal-ones", "Of equal logits you keep the larger token. The smaller one counts as larger.",
     kWriting},
    {"not-shared-anew",
     "You take the softmax over all tokens and then set those that do not count to 0. The sum is then below "
     "1: take the softmax over those that count.",
     kWriting},
    {"hidden-logits-0",
     "You set the logits that do not count to 0. A logit of 0 is still a probability: these tokens get 0 "
     "themselves.",
     kWriting},
    {"not-divided", "Your numbers do not add up to 1. Divide them by their sum.", kWriting},
    {"overflows",
     "With large logits you get NaN, because exp overflows. Subtract the largest logit first, as in lesson "
     "5.",
     kWriting},
    {"in-falling-order", "Your probabilities stand in falling order. Number i belongs to token i.", kWriting},
    {"logarithms", "You return logarithms. The probabilities are asked for.", kWriting}};

}  // namespace mistakes
