// The contest: the smallest transformer that copies (docs/records.md).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "headlight/nn/transformer.h"

namespace headlight::studies {

inline constexpr std::size_t kContestTokens = 32;      // the vocabulary
inline constexpr std::size_t kContestPositions = 32;   // the context
inline constexpr std::size_t kLongestSegment = 16;     // in tokens
inline constexpr std::size_t kDrawnSegments = 10'000;  // beside the edge cases
inline constexpr double kContestAccuracy = 0.99;       // on the drawn segments

// A segment repeats until it fills the context and one token more. The model is right if at each position
// from the second copy on, the logit of the next token is above all others. By induction this is the same as
// to write the copies greedily, token by token, after the segment and its first token.
struct EdgeCase {
  std::string name;
  std::vector<std::int32_t> segment;
  bool right = false;
};

struct ContestResult {
  std::size_t parameters = 0;  // all numbers of nn::named_parameters(): zeros too, a shared matrix once
  std::vector<EdgeCase> edge_cases;
  std::size_t drawn_right = 0;  // of kDrawnSegments

  double accuracy() const;  // drawn_right / kDrawnSegments
  bool passed() const;      // all edge cases right, and an accuracy of at least kContestAccuracy
};

// Tries the edge cases, and kDrawnSegments segments from a fixed seed: 2 to kLongestSegment different tokens,
// all lengths equally likely. Throws Error unless the model is a decoder of the contest's vocabulary and
// context.
ContestResult enter_contest(const nn::Transformer& model);

}  // namespace headlight::studies
