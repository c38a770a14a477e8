// Lesson 16, solved: windows without a leak, counting, copying, and the next token.
#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <vector>

#include "exercise.h"
#include "headlight/core/math.h"
#include "name_tokens.h"

std::vector<std::size_t> training_starts(std::size_t n, std::size_t n_ctx, std::size_t stride,
                                         std::size_t first, std::size_t last) {
  std::vector<std::size_t> starts;
  for (std::size_t s = 0; s + n_ctx < n; s += stride)
    if (s + n_ctx < first || s > last) starts.push_back(s);
  return starts;
}

double ngram_loss(const std::vector<int>& training, const std::vector<int>& held_out, std::size_t V,
                  std::size_t n) {
  std::map<std::vector<int>, std::map<int, double>> followers;  // of each context
  for (std::size_t i = 0; i < training.size(); ++i)
    for (std::size_t k = 0; k < n && k <= i; ++k)
      ++followers[{training.begin() + i - k, training.begin() + i}][training[i]];
  double total = 0;
  for (std::size_t i = 0; i < held_out.size(); ++i) {
    double p = 1.0 / static_cast<double>(V);
    for (std::size_t k = 0; k < n && k <= i; ++k) {
      const auto found = followers.find({held_out.begin() + i - k, held_out.begin() + i});
      if (found == followers.end()) break;
      const auto& counts = found->second;
      const double kinds = static_cast<double>(counts.size());
      double count = 0;
      for (const auto& [token, times] : counts) count += times;
      const auto times = counts.find(held_out[i]);
      p = ((times == counts.end() ? 0 : times->second) + kinds * p) / (count + kinds);
    }
    total -= math::log(p);
  }
  return total / static_cast<double>(held_out.size());
}

std::vector<int> copied(const std::vector<int>& tokens, std::size_t n_ctx) {
  std::vector<int> predictions(tokens.size(), -1);
  for (std::size_t t = 0; t < tokens.size(); ++t) {
    const std::size_t begin = t + 1 > n_ctx ? t + 1 - n_ctx : 0;
    std::size_t longest = 0;
    for (std::size_t j = begin; j < t; ++j) {
      std::size_t k = 0;
      while (k <= j - begin && tokens[j - k] == tokens[t - k]) ++k;
      if (k == 0 || k < longest) continue;
      longest = k;
      predictions[t] = tokens[j + 1];
    }
  }
  return predictions;
}

std::vector<double> probabilities(const std::vector<double>& logits, double temperature, std::size_t top_k) {
  std::vector<std::size_t> order(logits.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return logits[a] > logits[b]; });
  if (temperature == 0)
    order.resize(1);
  else if (top_k > 0)
    order.resize(top_k);
  std::vector<double> p(logits.size(), 0);
  double total = 0;
  for (const std::size_t i : order)
    total += p[i] = temperature == 0 ? 1 : math::exp((logits[i] - logits[order[0]]) / temperature);
  for (double& each : p) each /= total;
  return p;
}

double only_a_copy_of(std::size_t length) {
  const std::vector<int> tokens = name_tokens(length), copies = copied(tokens, 32);
  const std::size_t N = 9 * tokens.size() / 10;
  std::map<int, std::map<int, int>> pairs;
  for (std::size_t i = 1; i < N; ++i) ++pairs[tokens[i - 1]][tokens[i]];
  double only = 0;
  for (std::size_t t = N; t + 1 < tokens.size(); ++t) {
    const auto& after = pairs[tokens[t]];
    const int by_pairs = std::max_element(after.begin(), after.end(), [](const auto& a, const auto& b) {
                           return a.second < b.second;
                         })->first;
    if (copies[t] == tokens[t + 1] && by_pairs != tokens[t + 1]) ++only;
  }
  return 100 * only / static_cast<double>(tokens.size() - 1 - N);
}

std::vector<Trial> only_a_copy() {
  std::vector<Trial> trials;
  for (const auto& [length, expected] : {std::pair{2, 10}, {8, 30}, {16, 40}, {30, 45}})
    trials.push_back({static_cast<double>(length), static_cast<double>(expected),
                      only_a_copy_of(static_cast<std::size_t>(length))});
  return trials;
}
