// What people get wrong in part 2 of exercise 16: counting runs of tokens.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <vector>

#include "mistakes.h"

namespace mistakes {

using NgramLoss = std::function<double(const Tokens&, const Tokens&, std::size_t, std::size_t)>;
using Followers = std::map<Tokens, std::map<int, double>>;  // of each context

inline Tokens part_of(const Tokens& tokens, std::size_t begin, std::size_t end) {
  return {tokens.begin() + static_cast<std::ptrdiff_t>(begin),
          tokens.begin() + static_cast<std::ptrdiff_t>(end)};
}

inline Followers followers_of(const Made& made, const Tokens& tokens, std::size_t longest) {
  Followers all;
  for (std::size_t i = 0; i < tokens.size(); ++i)
    for (std::size_t k = 0; k <= longest && k <= i; ++k)
      if (made("what-came-before") && k > 0)
        ++all[part_of(tokens, i - k + 1, i + 1)][tokens[i - k]];
      else
        ++all[part_of(tokens, i - k, i)][tokens[i]];
  return all;
}

// Counts as one more of a context and not as one more kind.
inline constexpr int kNothing = -2;

inline double kinds_of(const Made& made, const std::map<int, double>& counts, std::size_t V) {
  if (made("kinds-is-V")) return static_cast<double>(V);
  if (made("kinds-is-1")) return 1;
  if (made("once-for-kinds"))
    return static_cast<double>(
        std::count_if(counts.begin(), counts.end(), [](const auto& c) { return c.second == 1; }));
  return static_cast<double>(counts.size() - counts.count(kNothing));
}

// One step of the formula: from what a shorter context says to what this one says.
inline double mixed(const Made& made, const std::map<int, double>& counts, int token, double p, double base,
                    std::size_t V, bool is_empty) {
  double count = 0;
  for (const auto& [each, times] : counts) count += times;
  const auto found = counts.find(token);
  const double times = found == counts.end() ? 0 : found->second, kinds = kinds_of(made, counts, V);
  if (made("unigrams-not-mixed") && is_empty) return times / count;
  if (made("not-mixed")) return times > 0 ? times / count : p;
  if (made("half-and-half")) return 0.5 * times / count + 0.5 * p;
  const double rest = made("always-1/V") ? base : p;
  if (made("weight-without-kinds")) return (times + rest) / (count + kinds);
  if (made("no-kinds-below")) return (times + kinds * rest) / count;
  return (times + kinds * rest) / (count + kinds);
}

inline double probability(const Made& made, const Followers& all, const Tokens& before, int token,
                          std::size_t V, std::size_t longest, double& last) {
  std::size_t different = 1;
  if (const auto found = all.find({}); found != all.end()) different = found->second.size();
  const double base = made("0-for-1/V") ? 0 : 1.0 / static_cast<double>(made("kinds-for-V") ? different : V);
  double& p = last;
  if (!made("not-begun-anew")) p = base;
  for (std::size_t k = made("starts-at-one-token") ? 1 : 0; k <= longest && k <= before.size(); ++k) {
    const std::size_t whole = before.size() - std::min(longest, before.size());
    const auto found =
        all.find(made("drops-the-last-token") ? part_of(before, whole, whole + k)
                                              : part_of(before, before.size() - k, before.size()));
    if (found == all.end()) return made("1/V-for-a-new-context") ? base : p;
    p = mixed(made, found->second, token, p, base, V, k == 0);
  }
  return p;
}

inline double ngram_loss(const Made& made, const Tokens& training, const Tokens& held_out, std::size_t V,
                         std::size_t n) {
  const std::size_t longest = made("n-tokens-of-context")          ? n
                              : made("one-token-too-few") && n > 1 ? n - 2
                                                                   : n - 1;
  Tokens counted = made("held-out-counted-alone") ? held_out : training;
  if (made("held-out-counted-too")) counted.insert(counted.end(), held_out.begin(), held_out.end());
  Followers all = followers_of(made, counted, longest);
  for (std::size_t k = 1; k <= longest && k <= counted.size(); ++k) {
    const Tokens end = part_of(counted, counted.size() - k, counted.size());
    if (made("end-of-the-text-counted")) all[end][-1] += 1;
    if (made("occurrences-counted") && all.contains(end)) all[end][kNothing] += 1;
  }
  Tokens tokens = held_out;
  std::size_t first = 0;
  if (made("context-from-training")) {
    tokens.insert(tokens.begin(), training.begin(), training.end());
    first = training.size();
  }
  if (made("first-tokens-left-out")) first += std::min(longest, held_out.size() - 1);
  double total = 0, of_probabilities = 0, scored = 0, last = 1.0 / static_cast<double>(V);
  for (std::size_t i = first; i < tokens.size(); ++i, ++scored) {
    const double p = probability(made, all, part_of(tokens, 0, i), tokens[i], V, longest, last);
    total -= math::log(p);
    of_probabilities += p;
  }
  if (made("sum-for-mean")) scored = 1;
  if (made("log-of-the-mean")) return -math::log(of_probabilities / scored);
  const double loss = total / scored;
  if (made("bits")) return loss / math::log(2);
  if (made("sign-lost")) return -loss;
  return made("perplexity") ? math::exp(loss) : loss;
}

inline const std::vector<Slip> kOfNgramLoss = {
    {"held-out-counted-too",
     "You count the held-out part too. Then it is no longer held out: each of its runs has been seen.",
     kParts},
    {"held-out-counted-alone", "You count the held-out part in place of the training part.", kParts},
    {"context-from-training",
     "The first tokens of your held-out part have the end of the training part as their context. The parts "
     "need not be neighbours: the first token has the empty context.",
     kCounting},
    {"first-tokens-left-out",
     "You leave out the first n - 1 tokens. They count too, with the shorter contexts that they have.",
     kCounting},
    {"n-tokens-of-context",
     "Your contexts have up to n tokens. A run of n is a context of n - 1 and one more.", kCounting},
    {"one-token-too-few",
     "Your longest context has n - 2 tokens. A run of n is a context of n - 1 and one more.", kCounting},
    {"kinds-is-V",
     "You weight the shorter context with V. Its weight is kinds(h), the number of different "
     "tokens seen after h.",
     kCounting},
    {"kinds-is-1", "You weight the shorter context with 1. Its weight is kinds(h).", kCounting},
    {"once-for-kinds",
     "Your kinds(h) is the number of tokens that came once after h. It is the number of different ones.",
     kCounting},
    {"not-mixed",
     "You take the shorter context only where count(hb) is 0. Each context is mixed with the shorter one, or "
     "the probabilities of all tokens add up to more than 1.",
     kCounting},
    {"half-and-half", "You give both contexts the weight 1/2. The weights are count(h) and kinds(h).",
     kCounting},
    {"always-1/V",
     "You mix each context with 1/V. Only the empty one is: the others are mixed with P(b | h').", kCounting},
    {"weight-without-kinds",
     "You add P(b | h') once. It is multiplied by kinds(h), or the probabilities of all tokens "
     "add up to less than 1.",
     kCounting},
    {"no-kinds-below",
     "You divide by count(h). Divide by count(h) + kinds(h), so that the probabilities add up to 1.",
     kCounting},
    {"kinds-for-V",
     "At the empty context you take 1 / (number of different tokens of the training part). Take 1/V: a token "
     "that never came must have a probability too.",
     kCounting},
    {"0-for-1/V",
     "You begin with 0 in place of 1/V. Then a token that never came has the probability 0, and the others "
     "too little.",
     kCounting},
    {"not-begun-anew",
     "Your P of a held-out token goes on from that of the token before. For each of them begin with 1/V.",
     kCounting},
    {"unigrams-not-mixed",
     "Your empty context gives count(b) / count. It is mixed too, with 1/V, so that a token that never came "
     "has a probability.",
     kCounting},
    {"starts-at-one-token",
     "You leave the empty context out: contexts of one token are mixed with 1/V. They are "
     "mixed with what the empty context says.",
     kCounting},
    {"1/V-for-a-new-context", "Where a context is new you take 1/V. Take what the shorter one says.",
     kCounting},
    {"drops-the-last-token",
     "Your shorter context is h without its last token. It is h without its first: the tokens next to b "
     "stay.",
     kCounting},
    {"occurrences-counted",
     "Your count(h) is how often h stands in the training part. It is the sum of count(hb) "
     "over all b: at the end of the part nothing follows h.",
     kCounting},
    {"end-of-the-text-counted",
     "Your count(h) also counts the place at the end of the training part, where nothing "
     "follows. count(h) is the sum of count(hb) over all b.",
     kCounting},
    {"what-came-before", "You count what came before a run. What came after it is asked for.", kCounting},
    {"sum-for-mean", "Your loss is a sum. The mean over the held-out tokens is asked for.", kCounting},
    {"log-of-the-mean",
     "You take the logarithm of the mean probability. The mean of the logarithms is asked for.", kCounting},
    {"bits", "Your logarithm has the base 2. math::log has the base e.", kCounting},
    {"sign-lost", "Your loss is negative. It is the mean of -log P.", kCounting},
    {"perplexity", "You return e^loss, the perplexity. The loss is asked for.", kCounting}};

}  // namespace mistakes
