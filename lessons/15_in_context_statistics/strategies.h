// Three ways to predict the next state from the states so far, and how far a prediction is from another one.
#pragma once

#include <array>
#include <vector>

#include "chains.h"
#include "headlight/core/array.h"

namespace headlight::lesson {

inline constexpr std::array<const char*, 3> kStrategies = {"uniform", "unigram", "bigram"};

// Reads a walk state by state, and keeps what the strategies count.
class Counts {
 public:
  explicit Counts(std::size_t k) : of_states_(k, 0), of_pairs_(k, Row(k, 0)) {}

  void read(std::int32_t state) {
    const auto now = static_cast<std::size_t>(state);
    if (any_) ++of_pairs_[last_][now];
    ++of_states_[now];
    last_ = now;
    any_ = true;
  }

  // The prediction of strategy 0, 1 or 2.
  Row prediction(std::size_t strategy) const {
    Row row = strategy == 1 ? of_states_ : strategy == 2 ? of_pairs_[last_] : Row(of_states_.size(), 0);
    double total = 0;
    for (double& count : row) total += ++count;
    for (double& count : row) count /= total;
    return row;
  }

 private:
  Row of_states_;
  Matrix of_pairs_;
  std::size_t last_ = 0;
  bool any_ = false;
};

// -Σ p log q: the mean loss of the prediction q where p is true.
inline double expected_loss(const Row& p, const Row& q) {
  double total = 0;
  for (std::size_t j = 0; j < p.size(); ++j) total -= p[j] > 0 ? p[j] * math::log(q[j]) : 0;
  return total;
}

// Σ p log(p/q)
inline double divergence(const Row& p, const Row& q) { return expected_loss(p, q) - entropy(p); }

// The mean over all positions of the divergence from what each strategy predicts to exp(log_probabilities),
// (B,n,k), for the tokens (B,n).
inline std::array<double, 3> divergences(const IntArray& tokens, const Array& log_probabilities) {
  const std::size_t batch = tokens.shape()[0], n = tokens.shape()[1], k = log_probabilities.shape()[2];
  std::array<double, 3> total{};
  for (std::size_t b = 0; b < batch; ++b) {
    Counts counts(k);
    for (std::size_t t = 0; t < n; ++t) {
      counts.read(tokens(b, t));
      for (std::size_t s = 0; s < 3; ++s) {
        const Row p = counts.prediction(s);
        total[s] -= entropy(p);
        for (std::size_t j = 0; j < k; ++j) total[s] -= p[j] * log_probabilities(b, t, j);
      }
    }
  }
  for (double& each : total) each /= static_cast<double>(batch * n);
  return total;
}

// The mean loss of each strategy on these tokens and targets (B,n), of k states.
inline std::array<double, 3> strategy_losses(const IntArray& tokens, const IntArray& targets, std::size_t k) {
  const std::size_t batch = tokens.shape()[0], n = tokens.shape()[1];
  std::array<double, 3> total{};
  for (std::size_t b = 0; b < batch; ++b) {
    Counts counts(k);
    for (std::size_t t = 0; t < n; ++t) {
      counts.read(tokens(b, t));
      for (std::size_t s = 0; s < 3; ++s)
        total[s] -= math::log(counts.prediction(s)[static_cast<std::size_t>(targets(b, t))]);
    }
  }
  for (double& each : total) each /= static_cast<double>(batch * n);
  return total;
}

// The strategy with the smallest number.
inline std::size_t nearest(const std::array<double, 3>& each) {
  std::size_t best = 0;
  for (std::size_t s = 1; s < 3; ++s)
    if (each[s] < each[best]) best = s;
  return best;
}

}  // namespace headlight::lesson
