// Scores that say what kind of head a head is (Olsson et al. 2022).
#pragma once

#include <optional>
#include <vector>

#include "headlight/nn/transformer.h"

namespace headlight::interpret {

// All lie in 0 … 1.
struct HeadScores {
  std::size_t layer = 0, head = 0;
  double previous_token = 0;   // mean of A[i,i-1] over i ≥ 1
  double duplicate_token = 0;  // mean attention to earlier equal tokens, over positions that have one
  double induction = 0;        // mean attention to the followers of earlier equal tokens, over the same
};

// The induction score from which a head counts as an induction head, and the previous-token score likewise.
inline constexpr double kFoundScore = 0.5;

// Scores of one head's patterns: pattern (B,n,n) rows of queries, tokens (B,n). Throws Error when no position
// has an earlier equal token: then duplicate and induction scores are undefined.
HeadScores score_pattern(const Array& pattern, const IntArray& tokens);

// Scores of every head of the model on these tokens (B,n), layer by layer.
std::vector<HeadScores> score_heads(const nn::Transformer& model, const IntArray& tokens);

// A score by name.
struct ScoreKind {
  const char* name;  // "previous token", "duplicate token" or "induction"
  double HeadScores::*score;
};

// The largest of a head's three scores.
ScoreKind strongest(const HeadScores& scores);

// The head with the largest value of a score: best_head(scores, &HeadScores::induction).
const HeadScores& best_head(const std::vector<HeadScores>& scores, double HeadScores::*score);

// The best score within a layer; 0 when the layer does not exist.
double best_in_layer(const std::vector<HeadScores>& scores, std::size_t layer, double HeadScores::*score);

}  // namespace headlight::interpret
