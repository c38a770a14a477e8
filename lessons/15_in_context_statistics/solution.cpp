// Lesson 15, solved: a walk, three strategies, and how far a model is from each.
#include <map>
#include <vector>

#include "drawn_chain.h"
#include "exercise.h"
#include "headlight/core/math.h"

std::vector<int> chain_from(const Array& matrix, int first, const std::vector<double>& draws) {
  const std::size_t k = matrix.shape()[0];
  std::vector<int> states{first};
  for (const double u : draws) {
    const int now = states.back();
    std::size_t j = 0;
    double end = matrix(now, 0);
    while (j + 1 < k && u >= end) end += matrix(now, ++j);
    states.push_back(static_cast<int>(j));
  }
  return states;
}

Array unigram_prediction(const std::vector<int>& tokens, std::size_t k) {
  Array p = zeros({tokens.size(), k}).array();
  std::vector<double> counts(k, 1);
  for (std::size_t t = 0; t < tokens.size(); ++t) {
    ++counts[tokens[t]];
    for (std::size_t j = 0; j < k; ++j) p(t, j) = counts[j] / static_cast<double>(t + 1 + k);
  }
  return p;
}

// One row of counts for each context that came, each count one more.
Array context_prediction(const std::vector<int>& tokens, std::size_t k, std::size_t order) {
  Array p = full({tokens.size(), k}, 1.0 / static_cast<double>(k)).array();
  std::map<std::vector<int>, std::vector<double>> counts;
  const auto row_after = [&](std::size_t t) -> std::vector<double>& {
    const auto end = tokens.begin() + static_cast<std::ptrdiff_t>(t + 1);
    return counts.try_emplace({end - static_cast<std::ptrdiff_t>(order), end}, k, 1.0).first->second;
  };
  for (std::size_t t = 0; t < tokens.size(); ++t) {
    if (t >= order) ++row_after(t - 1)[tokens[t]];
    if (t + 1 < order) continue;
    double total = 0;
    for (const double count : row_after(t)) total += count;
    for (std::size_t j = 0; j < k; ++j) p(t, j) = row_after(t)[j] / total;
  }
  return p;
}

double mean_kl(const Array& p, const Array& q) {
  double total = 0;
  for (std::size_t t = 0; t < p.shape()[0]; ++t)
    for (std::size_t j = 0; j < p.shape()[1]; ++j)
      if (p(t, j) > 0) total += p(t, j) * math::log(p(t, j) / q(t, j));
  return total / static_cast<double>(p.shape()[0]);
}

std::vector<double> distances(const std::vector<int>& tokens, const Array& logits) {
  const std::size_t k = logits.shape()[1];
  const Array model = softmax(Tensor(logits)).array();
  const Array uniform = full({tokens.size(), k}, 1.0 / static_cast<double>(k)).array();
  return {mean_kl(uniform, model), mean_kl(unigram_prediction(tokens, k), model),
          mean_kl(context_prediction(tokens, k, 1), model)};
}

// After how many letters the bigram strategy costs less than 0.1 more than knowing the matrix.
double letters_until(std::size_t k) {
  constexpr std::size_t kLetters = 300, kChains = 300;
  std::vector<double> cost(kLetters, 0);
  for (std::size_t seed = 0; seed < kChains; ++seed) {
    const Chain chain = drawn_chain(k, kLetters, seed);
    const Array p = context_prediction(chain.tokens, k, 1);
    for (std::size_t t = 0; t < kLetters; ++t)
      for (std::size_t j = 0; j < k; ++j) {
        const double truth = chain.matrix(chain.tokens[t], j);
        cost[t] += truth * math::log(truth / p(t, j)) / kChains;
      }
  }
  std::size_t t = 0;
  while (cost[t] >= 0.1) ++t;
  return static_cast<double>(t + 1);
}

std::vector<Trial> letters_needed() {
  return {{2, 12, letters_until(2)}, {4, 24, letters_until(4)}, {8, 48, letters_until(8)}};
}
