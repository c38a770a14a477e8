// What people write in the place of part 3 of exercise 15, and what is wrong with it.
#pragma once

#include "mistakes.h"

namespace mistakes {

using InContext = std::function<Array(const std::vector<int>&, std::size_t, std::size_t)>;

// Whether the same `order` tokens end at a and at b.
inline bool same_context(const Made& made, const std::vector<int>& tokens, std::size_t order, std::size_t a,
                         std::size_t b) {
  const auto at = [&](std::size_t t) {
    const auto end = tokens.begin() + static_cast<std::ptrdiff_t>(t + 1);
    std::vector<int> context(end - static_cast<std::ptrdiff_t>(order), end);
    if (made("contexts-without-an-order")) std::ranges::sort(context);
    return context;
  };
  if (made("first-letter-only")) return order == 0 || tokens[a + 1 - order] == tokens[b + 1 - order];
  return at(a) == at(b);
}

// How often each letter came right after the context that ends at t.
inline std::vector<double> followers(const Made& made, const std::vector<int>& tokens, std::size_t k,
                                     std::size_t order, std::size_t t) {
  const std::size_t end = made("sees-the-answer")          ? std::min(t + 2, tokens.size())
                          : made("last-follower-left-out") ? t
                          : made("whole-walk-in-each-row") ? tokens.size()
                                                           : t + 1;
  const std::size_t context = made("context-of-the-token-before") && t >= order ? t - 1 : t;
  std::vector<double> counts(k, 0);
  for (std::size_t s = made("first-follower-left-out") ? order + 1 : order; s < end; ++s) {
    const std::size_t before = made("backwards") ? s : s - 1;
    const int follower = made("backwards") ? tokens[s - order] : tokens[s];
    double& count = counts[static_cast<std::size_t>(follower)];
    if (same_context(made, tokens, order, before, context))
      count = made("seen-or-not") ? 1 : count + 1;
    else if (made("counts-lost-between"))
      std::ranges::fill(counts, 0);
  }
  return counts;
}

inline Array contexts_with(const Made& made, const std::vector<int>& tokens, std::size_t k,
                           std::size_t order) {
  const double even = 1 / static_cast<double>(k);
  if (made("last-letter-only")) order = std::min<std::size_t>(order, 1);
  if (made("one-letter-more")) ++order;
  if (made("one-letter-less")) --order;
  Array p = zeros({tokens.size(), k}).array();
  double so_far = 0;
  for (std::size_t t = 0; t < tokens.size(); ++t) {
    if (t + 1 < order) {
      for (std::size_t j = 0; j < k; ++j) p(t, j) = made("early-rows-empty") ? 0 : even;
      continue;
    }
    const std::vector<double> counts = followers(made, tokens, k, order, t);
    double sum = 0;
    for (const double count : counts) sum += count;
    so_far += sum + static_cast<double>(k);
    const double all = static_cast<double>(t + 1 - order + k),
                 divisor = made("sum-not-reset")                        ? so_far
                           : made("divided-by-all-contexts")            ? all
                           : made("present-context-among-the-followed") ? sum + 1 + static_cast<double>(k)
                                                                        : 0;
    for (std::size_t j = 0; j < k; ++j)
      p(t, j) = !made("added-only-at-first") ? share_with(made, counts, j, divisor)
                : sum == 0                   ? even
                                             : counts[j] / (divisor > 0 ? divisor : sum);
  }
  return p;
}

inline const std::vector<grader::Slip> kSlipsOfContextPrediction = with_counts(
    {{"last-letter-only",
      "You look at the last letter only, whatever `order` is. With order 2, the row that draws "
      "next belongs to the last two letters together.",
      kThree},
     {"first-letter-only",
      "You look at the first letter of the context only. With order 2, the row that draws next belongs "
      "to the last two letters together.",
      kThree},
     {"one-letter-more",
      "Your contexts are one letter too long: order 1 looks at the last letter, which is tokens[t].", kThree},
     {"one-letter-less",
      "Your contexts are one letter too short: order 1 looks at the last letter, which is tokens[t].",
      kThree},
     {"contexts-without-an-order",
      "You count contexts with the same letters in another order together. After a b another row draws "
      "than after b a.",
      kThree},
     {"added-only-at-first",
      "You divide plain counts, and give 1/k where there are none. After one follower you then say "
      "that it always follows. Add 1 to every count, and k below.",
      kOne},
     {"sum-not-reset", "You divide each row by the sum of all rows so far. Set the sum to 0 for each row.",
      kThree},
     {"seen-or-not",
      "You note whether a letter has followed, and not how often: `=` stands where `+=` belongs.", kThree},
     {"early-rows-empty",
      "Your rows before the first context are 0. While fewer than `order` letters have been read, each "
      "letter has 1/k.",
      kThree},
     {"backwards",
      "You count what came right *before* the context. The next letter follows it: when token t is "
      "read, it is a follower of the `order` tokens before it.",
      kThree},
     {"present-context-among-the-followed",
      "You divide by how often the context has come, plus k. The present one has no follower yet, so "
      "this is one too many, and the row adds up to less than 1.",
      kThree},
     {"sees-the-answer",
      "Row t counts token t + 1 too. That is the token to be predicted. Count token t as a follower of "
      "what came before it, then write row t.",
      kThree},
     {"first-follower-left-out",
      "You do not count the follower of the first context, token number `order`. Begin with it.", kThree},
     {"last-follower-left-out",
      "Row t does not count token t as a follower. It has been read, and it may have followed the "
      "context that stands at t again: think of a a a. Count first, then write the row.",
      kThree},
     {"context-of-the-token-before",
      "Row t predicts what follows the context that ends at token t - 1. That is tokens[t], which has "
      "been read. Take the context that ends at token t.",
      kThree},
     {"divided-by-all-contexts",
      "You divide by the number of all followers counted so far. That gives the probability of context "
      "and letter together. The probability of a letter *after the context* divides by the followers "
      "of this context.",
      kThree},
     {"counts-lost-between",
      "Your counts of a context are lost when another one comes. Keep a row of counts for each.", kThree},
     {"whole-walk-in-each-row",
      "Every row counts the whole walk, also what comes after it. Row t may count only tokens[0] … "
      "tokens[t].",
      kThree}});

inline std::vector<Mistake<InContext>> of_context_prediction() {
  return slips_of<InContext>(contexts_with, kSlipsOfContextPrediction);
}

}  // namespace mistakes
