// Where the heads of lesson 13 look, counted in places, and how near a repetition a model can use.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "headlight/interpret/repeated_sequences.h"
#include "models.h"

namespace headlight::lesson {

inline constexpr std::size_t kPlaces = 8;

// The numbers of a line of a table, with so many decimals.
inline std::string row_of(const std::vector<double>& numbers, int decimals) {
  std::string line;
  for (const double x : numbers) line += fmt::format("{:6.{}f}", x, decimals);
  return line;
}

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

// 200 sequences of 24 tokens, all different, but the last is the one `apart` places before it. How often, in
// %, is the token that followed it there the most likely next one?
inline double follows(const nn::Transformer& model, std::size_t apart) {
  const std::size_t count = 200, n = 24;
  IntArray tokens = IntArray::from_shape({count, n});
  Rng rng(21);
  for (std::size_t b = 0; b < count; ++b) {
    const std::vector<std::int32_t> drawn = rng.distinct(n, kTokens);
    for (std::size_t i = 0; i < n; ++i) tokens(b, i) = drawn[i];
    tokens(b, n - 1) = drawn[n - 1 - apart];
  }
  const Array logits = interpret::run_with_hooks(model, tokens, {}).array();
  double right = 0;
  for (std::size_t b = 0; b < count; ++b) {
    const Real* of_tokens = &logits(b, n - 1, 0);
    right += std::max_element(of_tokens, of_tokens + kTokens) - of_tokens == tokens(b, n - apart);
  }
  return 100 * right / static_cast<double>(count);
}

inline const std::vector<double> kApart = {2, 3, 4, 5, 6, 7, 8, 10, 12};
inline std::vector<double> reach(const nn::Transformer& model) {
  std::vector<double> percents;
  for (const double apart : kApart) percents.push_back(follows(model, static_cast<std::size_t>(apart)));
  return percents;
}

}  // namespace headlight::lesson
