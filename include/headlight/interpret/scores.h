// Scores that tell the kind of a head (Olsson et al. 2022).
#pragma once

#include <string_view>
#include <vector>

#include "headlight/interpret/score_kinds.h"
#include "headlight/nn/transformer.h"

namespace headlight::inline HEADLIGHT_PRECISION::interpret {

struct HeadScores {
  std::size_t layer = 0, head = 0;
  std::vector<double> values;  // in the order of score_kinds(); of an old run the first of them

  // scores[kInduction]. Throws Error for a key that is not in the table.
  double operator[](std::string_view key) const;
};

// The threshold: a head with at least this induction score counts as an induction head, and with at least
// this previous-token score as a previous-token head.
inline constexpr double kFoundScore = 0.5;

// Scores of one head's patterns: pattern (B,n,n) with one row per query, tokens (B,n). Throws Error when no
// position has an earlier equal token, because duplicate and induction scores are then undefined.
HeadScores score_pattern(const Array& pattern, const IntArray& tokens);

// Scores of every head of the model on these tokens (B,n), layer by layer.
std::vector<HeadScores> score_heads(const nn::Transformer& model, const IntArray& tokens);

// The kind of a head's largest score.
const ScoreKind& strongest(const HeadScores& scores);

// The same, or null when the largest score is below kFoundScore: a head of no known kind.
const ScoreKind* known_kind(const HeadScores& scores);

// The head with the largest value of a score: best_head(scores, kInduction).
const HeadScores& best_head(const std::vector<HeadScores>& scores, std::string_view key);

}  // namespace headlight::inline HEADLIGHT_PRECISION::interpret
