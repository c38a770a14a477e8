#include "headlight/interpret/scores.h"

#include <algorithm>
#include <cmath>

#include "headlight/core/check.h"
#include "headlight/interpret/hooks.h"

namespace headlight::inline HEADLIGHT_PRECISION::interpret {

namespace {

// Patterns scored at once hold about this many numbers; all of them would be gigabytes at a context of 1,024.
constexpr std::size_t kAtOnce = std::size_t{1} << 22;

// For each position of a sequence, the earlier positions with the same token.
using Earlier = std::vector<std::vector<std::size_t>>;

Earlier earlier_copies(const std::int32_t* token, std::size_t n) {
  Earlier earlier(n);
  for (std::size_t i = 1; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (token[j] == token[i]) earlier[i].push_back(j);
  return earlier;
}

// The running scores of one head.
class Tally {
 public:
  // One sequence: its pattern (n,n), and its equal tokens.
  void add(const Real* pattern, const Earlier& earlier) {
    for (std::size_t i = 1; i < earlier.size(); ++i)
      for (std::size_t k = 0; k < means_.size(); ++k)
        score_kinds()[k].add({i, pattern + i * earlier.size(), earlier[i]}, means_[k]);
  }

  HeadScores scores(std::size_t layer, std::size_t head) const {
    HeadScores scores{layer, head, {}};
    for (const Mean& mean : means_) {
      check(mean.count > 0, "[score_pattern] no token occurs twice, so there is nothing to score.");
      check(std::isfinite(mean.sum),
            "[score_pattern] the pattern is not finite: the model's weights are too large or damaged.");
      scores.values.push_back(mean.sum / static_cast<double>(mean.count));
    }
    return scores;
  }

 private:
  std::vector<Mean> means_ = std::vector<Mean>(score_kinds().size());
};

bool is_pattern(const std::string& name) { return name.ends_with("attn.hook_pattern"); }

}  // namespace

double HeadScores::operator[](std::string_view key) const {
  const std::size_t index = score_index(key);
  check(index < values.size(), "[scores] head {}.{} has no {} score.", layer, head,
        score_kinds()[index].name);
  return values[index];
}

HeadScores score_pattern(const Array& pattern, const IntArray& tokens) {
  check(pattern.dimension() == 3 && tokens.dimension() == 2 && pattern.shape()[0] == tokens.shape()[0] &&
            pattern.shape()[1] == tokens.shape()[1] && pattern.shape()[2] == tokens.shape()[1],
        "[score_pattern] expected a pattern (B,n,n) and tokens (B,n), got a pattern {}.", pattern.shape());
  const std::size_t n = tokens.shape()[1];
  check(n >= 2, "[score_pattern] a sequence of {} tokens is too short for scores: expected at least 2.", n);
  Tally tally;
  for (std::size_t b = 0; b < tokens.shape()[0]; ++b)
    tally.add(pattern.data() + b * n * n, earlier_copies(tokens.data() + b * n, n));
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
    std::vector<Earlier> earlier;
    for (std::size_t b = 0; b < count; ++b) earlier.push_back(earlier_copies(part.data() + b * n, n));
    const CachedRun run = run_with_cache(model, part, is_pattern);
    for (std::size_t layer = 0; layer < layers; ++layer) {
      const Real* pattern = run.cache[pattern_name(layer)].data();  // (B,H,n,n)
      for (std::size_t b = 0; b < count; ++b)
        for (std::size_t head = 0; head < heads; ++head, pattern += n * n)
          tallies[layer * heads + head].add(pattern, earlier[b]);
    }
  }
  std::vector<HeadScores> scores;
  for (std::size_t i = 0; i < tallies.size(); ++i) scores.push_back(tallies[i].scores(i / heads, i % heads));
  return scores;
}

const ScoreKind& strongest(const HeadScores& s) {
  check(!s.values.empty() && s.values.size() <= score_kinds().size(),
        "[strongest] expected 1 … {} scores, got {}.", score_kinds().size(), s.values.size());
  return score_kinds()[static_cast<std::size_t>(std::max_element(s.values.begin(), s.values.end()) -
                                                s.values.begin())];
}

const ScoreKind* known_kind(const HeadScores& s) {
  const ScoreKind& kind = strongest(s);
  return s[kind.key] >= kFoundScore ? &kind : nullptr;
}

const HeadScores& best_head(const std::vector<HeadScores>& scores, std::string_view key) {
  check(!scores.empty(), "[best_head] there are no heads.");
  return *std::max_element(scores.begin(), scores.end(),
                           [key](const HeadScores& a, const HeadScores& b) { return a[key] < b[key]; });
}

}  // namespace headlight::inline HEADLIGHT_PRECISION::interpret
