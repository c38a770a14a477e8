#include <algorithm>

#include "headlight/core/setting_text.h"
#include "headlight/tasks/toy_tasks.h"
#include "losses.h"
#include "segments.h"

namespace headlight::tasks {
namespace {

// A segment and its copy, with the token after the context: positions 0 … n_ctx.
struct Planting {
  std::size_t length, segment, copy;  // copy ≥ segment + length, copy + length ≤ n_ctx + 1
};

// The ways to place a segment of this length: pairs of segment and copy, all equally likely.
std::size_t ways(std::size_t n_ctx, std::size_t length) {
  const std::size_t free = n_ctx + 1 - 2 * length;  // tokens that belong to neither
  return (free + 1) * (free + 2) / 2;
}

Sequence planted(const TaskConfig& c, std::size_t length, Rng& rng) {
  std::vector<std::int32_t> tokens = random_tokens(c.n_ctx + 1, c.d_vocab, false, rng);
  // Two of free + 2 marks: the tokens before the first stand before the segment, those after it up to the
  // second between segment and copy. So each way is as likely as any other.
  const std::vector<std::int32_t> marks = rng.distinct(2, c.n_ctx + 3 - 2 * length);
  const auto first = static_cast<std::size_t>(std::min(marks[0], marks[1])),
             second = static_cast<std::size_t>(std::max(marks[0], marks[1]));
  const Planting p{length, first, second - 1 + length};
  for (std::size_t i = 0; i < length; ++i) tokens[p.copy + i] = tokens[p.segment + i];
  std::vector<bool> predictable(c.n_ctx, false);
  for (std::size_t t = p.copy; t + 1 < p.copy + length; ++t) predictable[t] = true;
  Sequence s =
      next_token_sequence(tokens, std::move(predictable),
                          fmt::format("segment of {} tokens at {}, again at {}", length, p.segment, p.copy));
  s.repeats.assign(c.n_ctx, -1);
  s.answers.assign(c.n_ctx, -1);
  for (std::size_t i = 0; i < length; ++i) {
    if (p.segment + i < c.n_ctx) s.repeats[p.segment + i] = 0;
    if (p.copy + i < c.n_ctx) s.repeats[p.copy + i] = 1;
    if (i + 1 < length) s.answers[p.copy + i] = static_cast<std::int32_t>(p.segment + i + 1);
  }
  return s;
}

// The hypotheses are all plantings: of each length equally many, whatever its ways. All tokens that are no
// copies are uniform. So a planting weighs V for each token of its copy that has matched, and nothing once
// one has not; those whose copy has not begun weigh as at first.
std::vector<double> best_losses_of_planting(const TaskConfig& c, const Sequence& s) {
  struct Begun {
    Planting planting;
    double weight;
  };
  const auto vocabulary = static_cast<double>(c.d_vocab);
  std::vector<Begun> begun;
  double waiting = 1, finished = 0;
  std::vector<double> losses;
  for (std::size_t next = 1; next <= c.n_ctx; ++next) {
    for (std::size_t length = c.min_segment; length <= c.max_segment; ++length) {
      const double weight =
          1 / static_cast<double>(ways(c.n_ctx, length) * (c.max_segment - c.min_segment + 1));
      if (next + length > c.n_ctx + 1) continue;
      for (std::size_t segment = 0; segment + length <= next; ++segment) {
        begun.push_back({{length, segment, next}, weight});
        waiting -= weight;
      }
    }
    double copied = 0, all = std::max(waiting, 0.0) + finished, right = all / vocabulary;
    const std::int32_t token = token_at(s, next);
    std::vector<Begun> left;
    for (Begun& b : begun) {
      copied += b.weight;
      const std::size_t at = next - b.planting.copy;
      if (token_at(s, b.planting.segment + at) != token) continue;
      right += b.weight;
      b.weight *= vocabulary;
      if (at + 1 < b.planting.length)
        left.push_back(b);
      else
        finished += b.weight;
    }
    losses.push_back(math::log((all + copied) / right));
    begun = std::move(left);
  }
  return losses;
}

TaskWords words_of_planting() {
  return {
      "The model reads random *tokens* and must predict each next token; in every sequence one "
      "*segment* comes back once, at a random later place.",
      "From the second token of the copy on, each next token is the one that followed the same token in the "
      "segment. Neither the place nor the distance tells where that is.",
      "Success is an induction circuit that the *certificate* confirms by interventions.",
      "An induction score rises while the loss on *predictable* tokens falls. In a model of several layers "
      "a previous-token score rises too, in an earlier layer. Few tokens are predictable, so both take "
      "longer than where all repeats.",
      "copy a segment that comes back"};
}

}  // namespace

Task planted_task(const TaskConfig& config) {
  TaskConfig sizes = config;
  if (sizes.max_segment == 0)
    sizes.max_segment = std::max<std::size_t>(sizes.min_segment, sizes.n_ctx * 3 / 16);
  if (sizes.min_segment == 0) sizes.min_segment = sizes.max_segment;
  const TaskConfig c = with_segments(sizes);
  const MakeSequence make = [c](std::size_t length, Rng& rng) { return planted(c, length, rng); };
  const std::vector<Range> held_out = held_out_around(c, c.n_ctx / 2);
  return {.config = c,
          .vocabulary = Vocabulary::of_size(c.d_vocab),
          .training = drawn_from({{c.min_segment, c.max_segment}}, make),
          .held_out = any_left(held_out) ? drawn_from(held_out, make) : Generator(),
          .scored = scored_repetitions(c),
          .scored_on = "repeated random tokens",
          .trained_on = lengths_of(c),
          .words = words_of_planting(),
          .solved_by = "induction",
          .best_loss = [c](const Sequence& s) { return best_losses_of_planting(c, s); },
          .with_segment = up_to(c.n_ctx / 2, make),
          .longest_segment = c.n_ctx / 2};
}

}  // namespace headlight::tasks
