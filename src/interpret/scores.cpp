#include "headlight/interpret/scores.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "headlight/core/check.h"
#include "headlight/interpret/hooks.h"

namespace headlight::interpret {

namespace {

// Patterns scored at once hold about this many numbers; all of them would be gigabytes at a context of 1,024.
constexpr std::size_t kAtOnce = std::size_t{1} << 22;

// Sums over query positions, from which the scores are means.
struct Tally {
  double previous = 0, duplicate = 0, induction = 0;
  std::size_t positions = 0, repeated = 0;  // repeated: with an earlier equal token

  // One sequence: its tokens, and its pattern (n,n).
  void add(const Real* pattern, const std::int32_t* token, std::size_t n) {
    for (std::size_t i = 1; i < n; ++i) {
      const Real* row = pattern + i * n;
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
    positions += n - 1;
  }

  HeadScores scores(std::size_t layer, std::size_t head) const {
    check(repeated > 0, "[score_pattern] no token occurs twice, so there is nothing to score.");
    check(std::isfinite(previous) && std::isfinite(duplicate) && std::isfinite(induction),
          "[score_pattern] the pattern is not finite: the model's weights are too large or damaged.");
    const auto all = static_cast<double>(positions), with_earlier = static_cast<double>(repeated);
    return {layer, head, previous / all, duplicate / with_earlier, induction / with_earlier};
  }
};

bool is_pattern(const std::string& name) { return name.ends_with("attn.hook_pattern"); }

}  // namespace

HeadScores score_pattern(const Array& pattern, const IntArray& tokens) {
  check(pattern.dimension() == 3 && tokens.dimension() == 2 && pattern.shape()[0] == tokens.shape()[0] &&
            pattern.shape()[1] == tokens.shape()[1] && pattern.shape()[2] == tokens.shape()[1],
        "[score_pattern] expected a pattern (B,n,n) and tokens (B,n), got a pattern {}.", pattern.shape());
  const std::size_t n = tokens.shape()[1];
  check(n >= 2, "[score_pattern] a sequence of {} tokens is too short for scores: expected at least 2.", n);
  Tally tally;
  for (std::size_t b = 0; b < tokens.shape()[0]; ++b)
    tally.add(pattern.data() + b * n * n, tokens.data() + b * n, n);
  return tally.scores(0, 0);
}

std::vector<HeadScores> score_heads(const nn::Transformer& model, const IntArray& tokens) {
  check(tokens.dimension() == 2 && tokens.shape()[1] >= 2,
        "[score_heads] expected tokens (B,n), n at least 2.");
  const std::size_t layers = model.config().n_layers, heads = model.config().n_heads;
  const std::size_t batch = tokens.shape()[0], n = tokens.shape()[1];
  const std::size_t group = std::max<std::size_t>(1, kAtOnce / (layers * heads * n * n));
  std::vector<Tally> tallies(layers * heads);
  for (std::size_t first = 0; first < batch; first += group) {
    const std::size_t count = std::min(group, batch - first);
    IntArray part = IntArray::from_shape({count, n});
    std::copy_n(tokens.data() + first * n, count * n, part.data());
    const CachedRun run = run_with_cache(model, part, is_pattern);
    for (std::size_t layer = 0; layer < layers; ++layer) {
      const Real* pattern = run.cache[pattern_name(layer)].data();  // (B,H,n,n)
      for (std::size_t b = 0; b < count; ++b)
        for (std::size_t head = 0; head < heads; ++head, pattern += n * n)
          tallies[layer * heads + head].add(pattern, part.data() + b * n, n);
    }
  }
  std::vector<HeadScores> scores;
  for (std::size_t i = 0; i < tallies.size(); ++i) scores.push_back(tallies[i].scores(i / heads, i % heads));
  return scores;
}

ScoreKind strongest(const HeadScores& s) {
  constexpr std::array<ScoreKind, 3> kKinds{{{"previous token", &HeadScores::previous_token},
                                             {"duplicate token", &HeadScores::duplicate_token},
                                             {"induction", &HeadScores::induction}}};
  return *std::max_element(kKinds.begin(), kKinds.end(),
                           [&](const ScoreKind& a, const ScoreKind& b) { return s.*a.score < s.*b.score; });
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
