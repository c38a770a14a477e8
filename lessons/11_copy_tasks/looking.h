// What the models of lesson 11 look at, and what they say.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "copies.h"
#include "headlight/interpret/hooks.h"
#include "headlight/interpret/scores.h"
#include "headlight/ops/rearrange.h"

namespace headlight::lesson {

struct HeadPlace {
  std::size_t layer = 0, head = 0;
};

// The pattern (n,n) of a head on the first sequence of a batch.
inline Array pattern_of(const nn::Transformer& model, const tasks::Batch& batch, HeadPlace at) {
  const auto wanted = [](const std::string& hook) { return hook.ends_with("hook_pattern"); };
  const interpret::CachedRun run =
      interpret::run_with_cache(model, tasks::batch_rows(batch, 0, 1).tokens, wanted);
  const int head = static_cast<int>(at.head), n = static_cast<int>(batch.tokens.shape()[1]);
  const Tensor patterns(run.cache[interpret::pattern_name(at.layer)]);  // (1,H,n,n)
  return reshape(slice(patterns, 1, head, head + 1), {n, n}).array();
}

// Where the answers stand: query i of a sequence with this period has them at the keys i + 1 - period,
// i + 1 - 2·period, …
inline Array answers_at(std::size_t period) {
  Array pattern = Array::from_shape({kTokens, kTokens});
  pattern.fill(0);
  for (std::size_t i = period; i < kTokens; ++i)
    for (std::size_t key = i + 1 - period;; key -= period) {
      pattern(i, key) = 1;
      if (key < period) break;
    }
  return pattern;
}

// The scores of all heads at held-out periods.
inline std::vector<interpret::HeadScores> scores_of(const nn::Transformer& model) {
  return interpret::score_heads(model, fresh_repeats(kHeldOut.front()));
}

// The head with the largest score of this kind in a layer.
inline HeadPlace best_in(const std::vector<interpret::HeadScores>& scores, std::size_t layer,
                         const char* score) {
  HeadPlace best{layer, 0};
  double most = -1;
  for (const interpret::HeadScores& head : scores)
    if (head.layer == layer && head[score] > most) most = head[score], best.head = head.head;
  return best;
}

// For the tokens of a segment in the order in which they were last seen, the longest ago first: the share of
// the predictable positions at which the model says this one. Means over the periods, the first `count`.
inline std::vector<double> said_by_age(const nn::Transformer& model, const Periods& periods,
                                       std::size_t count) {
  std::vector<double> shares(count);
  for (const std::size_t period : periods) {
    const tasks::Batch batch = fresh_repeats(period);
    const std::size_t rows = batch.tokens.shape()[0];
    const Array logits =
        interpret::run_with_cache(model, batch.tokens, [](const std::string&) { return false; }).logits;
    const double each = 1 / static_cast<double>(periods.size() * rows * (kTokens - period));
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t i = period; i < kTokens; ++i) {
        const Real* at = &logits(row, i, 0);
        const auto said = static_cast<std::int32_t>(std::max_element(at, at + kTokens) - at);
        for (std::size_t rank = 0; rank < std::min(count, period); ++rank)
          if (batch.tokens(row, i + 1 - period + rank) == said) shares[rank] += each;
      }
  }
  return shares;
}

}  // namespace headlight::lesson
