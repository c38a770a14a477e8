#include "headlight/studies/contest.h"

#include <algorithm>

#include "headlight/autograd/record.h"
#include "headlight/core/check.h"
#include "headlight/core/rng.h"

namespace headlight::studies {
namespace {

using Segment = std::vector<std::int32_t>;

constexpr std::uint64_t kSeed = 14;
constexpr std::size_t kAtOnce = 250;  // sequences in a forward pass

// first, first + step, …, modulo the vocabulary.
Segment stepping(std::size_t length, std::int32_t first, std::int32_t step) {
  Segment segment(length);
  constexpr auto kTokens = static_cast<std::int32_t>(kContestTokens);
  for (std::size_t i = 0; i < length; ++i)
    segment[i] = (((first + static_cast<std::int32_t>(i) * step) % kTokens) + kTokens) % kTokens;
  return segment;
}

std::vector<EdgeCase> edge_cases() {
  return {{"one token, again and again", {0}},
          {"two neighbours", {30, 31}},
          {"the first and the last token", {0, 31}},
          {"the longest segment, ascending", stepping(kLongestSegment, 0, 1)},
          {"the longest segment, descending", stepping(kLongestSegment, 31, -1)},
          {"every second token", stepping(kLongestSegment, 0, 2)},
          {"steps of nearly half the vocabulary", stepping(kLongestSegment, 0, 15)},
          {"one token less than the longest", stepping(kLongestSegment - 1, 5, 7)}};
}

std::vector<Segment> drawn_segments() {
  std::vector<Segment> segments(kDrawnSegments);
  for (std::size_t i = 0; i < kDrawnSegments; ++i) {
    Rng rng = Rng(kSeed).stream("contest", i);
    const std::size_t length = 2 + rng.below(kLongestSegment - 1);
    segments[i] = rng.distinct(length, kContestTokens);
  }
  return segments;
}

bool is_right(const Real* logits, const Segment& segment) {
  for (std::size_t t = segment.size(); t < kContestPositions; ++t) {
    const Real* row = logits + t * kContestTokens;
    const auto next = static_cast<std::size_t>(segment[(t + 1) % segment.size()]);
    for (std::size_t token = 0; token < kContestTokens; ++token)
      if (token != next && !(row[next] > row[token])) return false;
  }
  return true;
}

// For each segment, whether the model copies it.
std::vector<bool> copied(const nn::Transformer& model, const std::vector<Segment>& segments) {
  const NoGrad no_grad;
  std::vector<bool> right;
  for (std::size_t first = 0; first < segments.size(); first += kAtOnce) {
    const std::size_t count = std::min(kAtOnce, segments.size() - first);
    IntArray tokens = IntArray::from_shape({count, kContestPositions});
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t t = 0; t < kContestPositions; ++t)
        tokens(i, t) = segments[first + i][t % segments[first + i].size()];
    const Tensor logits = model(tokens);  // (count,positions,tokens)
    for (std::size_t i = 0; i < count; ++i)
      right.push_back(
          is_right(logits.array().data() + i * kContestPositions * kContestTokens, segments[first + i]));
  }
  return right;
}

}  // namespace

double ContestResult::accuracy() const {
  return static_cast<double>(drawn_right) / static_cast<double>(kDrawnSegments);
}

bool ContestResult::passed() const {
  return accuracy() >= kContestAccuracy &&
         std::ranges::all_of(edge_cases, [](const EdgeCase& each) { return each.right; });
}

ContestResult enter_contest(const nn::Transformer& model) {
  const nn::TransformerConfig& c = model.config();
  check(c.architecture == nn::Architecture::decoder && c.d_vocab == kContestTokens &&
            c.n_ctx == kContestPositions,
        "[enter_contest] expected a decoder of {} tokens and {} positions, got one of the kind '{}' with {} "
        "tokens and {} positions. Hint: train --task repeat --vocab {} --context {}.",
        kContestTokens, kContestPositions, nn::to_string(c.architecture), c.d_vocab, c.n_ctx, kContestTokens,
        kContestPositions);
  ContestResult result{nn::parameter_count(nn::named_parameters(model)), edge_cases()};
  std::vector<Segment> edges;
  for (const EdgeCase& each : result.edge_cases) edges.push_back(each.segment);
  const std::vector<bool> right = copied(model, edges);
  for (std::size_t i = 0; i < right.size(); ++i) result.edge_cases[i].right = right[i];
  const std::vector<bool> drawn = copied(model, drawn_segments());
  result.drawn_right = static_cast<std::size_t>(std::ranges::count(drawn, true));
  return result;
}

}  // namespace headlight::studies
