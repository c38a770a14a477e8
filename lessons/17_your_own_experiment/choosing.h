// Choices that know nothing, for lesson 17: what the best of k scores on the data that chose it, and on data
// that did not.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "headlight/core/rng.h"

namespace headlight::lesson {

inline constexpr std::size_t kAnswers = 100, kRounds = 500;  // in each part; of the whole experiment

// The share of right answers of a predictor that guesses between two.
inline double guessed(Rng& rng) {
  std::size_t right = 0;
  for (std::size_t i = 0; i < kAnswers; ++i) right += rng.below(2);
  return static_cast<double>(right) / kAnswers;
}

// Means over the rounds, of one who reports the best of k guessers.
struct Reported {
  double best = 0, fresh = 0;         // chosen on the test part: its score there, and on fresh data
  double validation = 0, tested = 0;  // chosen on a validation part: its score there, and on the test part
};

inline Reported best_of(std::size_t k) {
  Reported r;
  for (std::size_t round = 0; round < kRounds; ++round) {
    Rng rng = Rng(k).stream("guessers", round);
    double best = 0, validation = 0, tested = 0;
    for (std::size_t i = 0; i < k; ++i) {
      const double on_test = guessed(rng), on_validation = guessed(rng);
      best = std::max(best, on_test);
      if (on_validation > validation) validation = on_validation, tested = on_test;
    }
    r.best += best / kRounds, r.fresh += guessed(rng) / kRounds;
    r.validation += validation / kRounds, r.tested += tested / kRounds;
  }
  return r;
}

}  // namespace headlight::lesson
