// What lesson 13 counts: places at which heads look, and tokens that match.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "headlight/interpret/repeated_sequences.h"
#include "models.h"

namespace headlight::lesson {

inline constexpr std::size_t kPlaces = 8;

inline bool is_pattern(const std::string& name) { return name.ends_with("hook_pattern"); }

// For 0, 1, … places: the weight on the token so many places after the follower, of the head of layer 1 that
// gives it most.
inline std::vector<double> by_place(const Trained& t) {
  const interpret::RepeatedSequences repeats = *interpret::own_repeats(t.task, 64, Rng(5));
  const auto patterns = interpret::run_with_cache(t.model, repeats.repeated.tokens, is_pattern).cache;
  std::vector<double> best;
  for (std::size_t by = 0; by < kPlaces; ++by) {
    const auto weights = interpret::weight_on_followers(by == 0 ? repeats : interpret::moved(repeats, by),
                                                        patterns, t.model.config(), heads_of(t.model, 1));
    best.push_back(*std::max_element(weights.begin(), weights.end()));
  }
  return best;
}

// How many places before the query the head looks most, over the second half of all sequences.
inline std::size_t most_back(const Trained& t, const interpret::HeadAt& head) {
  const auto cache = interpret::run_with_cache(t.model, t.batch.tokens, is_pattern).cache;
  const Array& pattern = cache[interpret::pattern_name(head.layer)];
  std::vector<double> weights(kTokens / 2, 0);
  for (std::size_t b = 0; b < pattern.shape()[0]; ++b)
    for (std::size_t i = kTokens / 2; i < kTokens; ++i)
      for (std::size_t back = 0; back < weights.size(); ++back)
        weights[back] += pattern(b, head.head, i, i - back);
  return static_cast<std::size_t>(std::max_element(weights.begin(), weights.end()) - weights.begin());
}

// In how many rows the number on the diagonal is the largest.
inline std::size_t largest_on_diagonal(const Array& square) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < square.shape()[0]; ++i) {
    bool largest = true;
    for (std::size_t j = 0; j < square.shape()[1]; ++j) largest = largest && square(i, j) <= square(i, i);
    count += largest;
  }
  return count;
}

}  // namespace headlight::lesson
