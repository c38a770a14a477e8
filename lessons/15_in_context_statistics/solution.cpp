// Lesson 15, solved: a walk, three strategies, and how far a model is from each.
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

Array bigram_prediction(const std::vector<int>& tokens, std::size_t k) {
  Array p = zeros({tokens.size(), k}).array();
  std::vector<std::vector<double>> counts(k, std::vector<double>(k, 1));
  for (std::size_t t = 0; t < tokens.size(); ++t) {
    if (t > 0) ++counts[tokens[t - 1]][tokens[t]];
    double total = 0;
    for (const double count : counts[tokens[t]]) total += count;
    for (std::size_t j = 0; j < k; ++j) p(t, j) = counts[tokens[t]][j] / total;
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
          mean_kl(bigram_prediction(tokens, k), model)};
}
