// Wrong ways to measure after how many letters a chain is known.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "drawn_chain.h"
#include "grader/trials.h"
#include "headlight/core/math.h"

namespace mistakes {

using grader::Made;

inline constexpr std::size_t kLetters = 300, kChains = 300;

// The chains with the seeds 0 to 299.
inline const std::vector<Chain>& chains_of(std::size_t k) {
  static std::map<std::size_t, std::vector<Chain>> known;
  std::vector<Chain>& chains = known[k];
  for (std::size_t seed = chains.size(); seed < kChains; ++seed)
    chains.push_back(drawn_chain(k, kLetters, seed));
  return chains;
}

// What it costs after each letter of one chain not to know its matrix.
inline std::vector<double> costs_with(const Made& made, const Chain& chain, std::size_t k) {
  std::vector<double> costs;
  const bool unigram = made("unigram"), longer = made("order-2");
  std::map<int, std::vector<double>> rows;
  const auto row_after = [&](std::size_t t) -> std::vector<double>& {
    const int letter = chain.tokens[t],
              context = unigram           ? 0
                        : longer && t > 0 ? letter + static_cast<int>(k) * (chain.tokens[t - 1] + 1)
                        : longer          ? -1
                                          : letter;
    return rows.try_emplace(context, k, 1.0).first->second;
  };
  for (std::size_t t = 0; t < kLetters; ++t) {
    if (t > (longer ? 1 : 0) || unigram) ++row_after(t - (unigram ? 0 : 1))[chain.tokens[t]];
    const std::vector<double> counts = longer && t == 0 ? std::vector<double>(k, 1) : row_after(t);
    double all = 0, cost = 0;
    for (const double count : counts) all += count;
    const int row = chain.tokens[t];
    for (std::size_t j = 0; j < k; ++j) {
      const double p = counts[j] / all, truth = made("columns") ? chain.matrix(j, row) : chain.matrix(row, j);
      cost += made("model-first") ? p * math::log(p / truth) : truth * math::log(truth / p);
    }
    costs.push_back(cost / (made("base-2") ? math::log(2) : made("divided-by-k") ? double(k) : 1));
  }
  return costs;
}

// Those of all chains. Ways that differ only in what they make of the costs share them.
inline const std::vector<std::vector<double>>& all_costs_with(const Made& made, std::size_t k) {
  static std::map<std::pair<std::string, std::size_t>, std::vector<std::vector<double>>> known;
  std::string way;
  for (const char* name : {"unigram", "order-2", "columns", "model-first", "base-2", "divided-by-k"})
    way += made(name) ? '1' : '0';
  const auto [at, is_new] = known.try_emplace({way, k});
  for (std::size_t seed = 0; is_new && seed < kChains; ++seed)
    at->second.push_back(costs_with(made, chains_of(k)[seed], k));
  return at->second;
}

// After how many letters these costs are below the bound.
inline double letters_below(const Made& made, std::vector<double> costs) {
  const double bound = made("0.01") ? 0.01 : made("0.2") ? 0.2 : made("0.05") ? 0.05 : made("1") ? 1 : 0.1;
  if (made("mean-so-far")) {
    double sum = 0;
    for (std::size_t t = 0; t < costs.size(); ++t)
      sum += costs[t], costs[t] = sum / static_cast<double>(t + 1);
  }
  std::size_t t = 0;
  if (made("last-time-above"))
    for (t = kLetters; t > 0 && costs[t - 1] < bound; --t) continue;
  else
    while (t < kLetters && costs[t] >= bound) ++t;
  return static_cast<double>(made("index") ? t : t + 1);
}

inline double letters_with(const Made& made, std::size_t k) {
  const std::size_t end = made("one-chain") ? 1 : made("100-chains") ? 100 : kChains;
  std::vector<double> mean(kLetters, 0);
  double times = 0;
  for (std::size_t seed = 0; seed < end; ++seed) {
    const std::vector<double>& costs = all_costs_with(made, k)[seed];
    for (std::size_t t = 0; t < kLetters; ++t) mean[t] += costs[t] / static_cast<double>(end);
    if (made("mean-of-times")) times += letters_below(made, costs) / static_cast<double>(end);
  }
  return made("mean-of-times") ? times : letters_below(made, mean);
}

inline std::vector<double> all_letters_with(const Made& made, const std::vector<double>& numbers) {
  std::vector<double> all;
  for (const double k : numbers) all.push_back(letters_with(made, static_cast<std::size_t>(k)));
  return all;
}

inline std::vector<grader::WrongMeasure> of_letters_needed() {
  const char* bound = "Your bound is not 0.1. The letters are asked for after which the cost is below 0.1.";
  return grader::wrong_measures(
      all_letters_with,
      {{"model-first", "You computed KL(prediction, truth). The matrix row comes first: it is the truth."},
       {"unigram", "You measured the unigram prediction. Take that of part 3, with order 1."},
       {"order-2", "You measured order 2. Take order 1: chains draw from the row of the last letter."},
       {"columns",
        "Your cost never falls below 0.1. Compare with the row of letter t, matrix(tokens[t], j): perhaps yours is a "
        "column, or the row of another letter."},
       {"mean-so-far",
        "You take the mean of the costs of all letters so far. Take the cost after letter t alone."},
       {"mean-of-times",
        "You count for each chain and take the mean of the counts. Take the mean of the costs first, then count."},
       {"last-time-above", "You count until the cost stays below 0.1. The first time below it is asked for."},
       {"one-chain", "You measured one chain. Take the mean over the chains with the seeds 0 … 299."},
       {"100-chains", "You measured 100 chains. Take the mean over the chains with the seeds 0 … 299."},
       {"base-2", "You took the logarithm with base 2. KL has the natural one here, math::log."},
       {"divided-by-k",
        "You divide the cost by k. KL is a sum over the letters: the weights p_j are a mean already."},
       {"index", "You return t, which counts from 0. After token t, t + 1 letters have been read."},
       {"0.01", bound},
       {"0.05", bound},
       {"0.2", bound},
       {"1", bound}});
}

}  // namespace mistakes
