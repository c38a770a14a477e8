#include "headlight/interpret/scores.h"

#include <algorithm>

#include "headlight/core/check.h"
#include "headlight/core/kernels.h"
#include "headlight/interpret/hooks.h"

namespace headlight::interpret {

HeadScores score_pattern(const Array& pattern, const IntArray& tokens) {
  check(pattern.dimension() == 3 && tokens.dimension() == 2 && pattern.shape()[0] == tokens.shape()[0] &&
            pattern.shape()[1] == tokens.shape()[1] && pattern.shape()[2] == tokens.shape()[1],
        "[score_pattern] expected a pattern (B,n,n) and tokens (B,n), got a pattern {}.",
        Shape(pattern.shape()));
  const std::size_t batch = tokens.shape()[0], n = tokens.shape()[1];
  check(n >= 2, "[score_pattern] a sequence of {} tokens is too short for scores: expected at least 2.", n);
  double previous = 0, duplicate = 0, induction = 0;
  std::size_t repeated = 0;
  for (std::size_t b = 0; b < batch; ++b) {
    const std::int32_t* token = tokens.data() + b * n;
    for (std::size_t i = 1; i < n; ++i) {
      const Real* row = pattern.data() + (b * n + i) * n;
      previous += static_cast<double>(row[i - 1]);
      bool seen = false;
      for (std::size_t j = 0; j < i; ++j) {
        if (token[j] != token[i]) continue;
        seen = true;
        duplicate += static_cast<double>(row[j]);
        induction += static_cast<double>(row[j + 1]);
      }
      repeated += seen ? 1 : 0;
    }
  }
  check(repeated > 0, "[score_pattern] no token occurs twice, so there is nothing to score.");
  const auto positions = static_cast<double>(batch * (n - 1)), with_earlier = static_cast<double>(repeated);
  return {0, 0, previous / positions, duplicate / with_earlier, induction / with_earlier};
}

std::vector<HeadScores> score_heads(nn::Transformer& model, const IntArray& tokens) {
  const CachedRun run = run_with_cache(
      model, tokens, [](const std::string& name) { return name.ends_with("attn.hook_pattern"); });
  std::vector<HeadScores> scores;
  for (std::size_t layer = 0; layer < model.config().n_layers; ++layer) {
    const Array& patterns = run.cache[pattern_name(layer)];  // (B,H,n,n)
    const std::size_t n = patterns.shape()[2];
    for (std::size_t head = 0; head < model.config().n_heads; ++head) {
      const Array one =
          kernels::reshape(kernels::slice(patterns, 1, head, 1, 1), {patterns.shape()[0], n, n});
      HeadScores s = score_pattern(one, tokens);
      s.layer = layer;
      s.head = head;
      scores.push_back(s);
    }
  }
  return scores;
}

const HeadScores& best_head(const std::vector<HeadScores>& scores, double HeadScores::*score) {
  check(!scores.empty(), "[best_head] there are no heads.");
  return *std::max_element(scores.begin(), scores.end(),
                           [score](const HeadScores& a, const HeadScores& b) { return a.*score < b.*score; });
}

double best_in_layer(const std::vector<HeadScores>& scores, std::size_t layer, double HeadScores::*score) {
  double best = 0;
  for (const HeadScores& s : scores)
    if (s.layer == layer) best = std::max(best, s.*score);
  return best;
}

}  // namespace headlight::interpret
