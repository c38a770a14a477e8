#include <algorithm>

#include "headlight/core/check.h"
#include "segments.h"

namespace headlight::inline HEADLIGHT_PRECISION::tasks {
namespace {

// The held-out lengths of the prefix: from half the shortest trained one, and up to a quarter longer than the
// longest trained one if prefix, separator and copy fit.
std::vector<Range> held_out_prefixes(const TaskConfig& c) {
  std::size_t longest = std::min(c.max_segment * 5 / 4, c.n_ctx / 2);
  if (c.distinct) longest = std::min(longest, c.d_vocab - 1);
  return {{std::max<std::size_t>(2, c.min_segment / 2), c.min_segment - 1}, {c.max_segment + 1, longest}};
}

bool separator_left(const TaskConfig& c) { return !c.distinct || c.max_segment < c.d_vocab; }
bool can_be_copied(const TaskConfig& c) { return separator_left(c) && any_left(held_out_prefixes(c)); }

// Predictable are the tokens of the copy: the first follows the separator (the prefix starts at position 0),
// and each other one follows a copied token.
Sequence copied(const TaskConfig& c, std::size_t length, Rng& rng) {
  std::vector<std::int32_t> prefix = random_tokens(length, c.d_vocab - 1, c.distinct, rng);
  for (std::int32_t& token : prefix) ++token;  // 0 is the separator
  std::vector<std::int32_t> tokens = prefix;
  tokens.push_back(kSeparator);
  tokens.insert(tokens.end(), prefix.begin(), prefix.end());
  while (tokens.size() < c.n_ctx + 1)
    tokens.push_back(static_cast<std::int32_t>(1 + rng.below(c.d_vocab - 1)));
  tokens.resize(c.n_ctx + 1);
  std::vector<bool> predictable(c.n_ctx, false);
  for (std::size_t t = length; t < std::min(2 * length, c.n_ctx); ++t) predictable[t] = true;
  Sequence s =
      next_token_sequence(tokens, std::move(predictable), fmt::format("segment of {} tokens", length));
  s.repeats.assign(c.n_ctx, -1);
  for (std::size_t t = 0; t < length; ++t) s.repeats[t] = 0;
  for (std::size_t t = length + 1; t < std::min(2 * length + 1, c.n_ctx); ++t) s.repeats[t] = 1;
  return s;
}

// "|" and the letters, or numbers where letters are not enough.
Vocabulary with_separator(std::size_t size) {
  const Vocabulary plain = Vocabulary::of_size(size);
  if (plain.text(0) == "0") return plain;
  std::vector<std::string> texts{"|"};
  for (std::size_t i = 0; i + 1 < size; ++i) texts.push_back(plain.text(static_cast<std::int32_t>(i)));
  return Vocabulary(std::move(texts));
}

// Repeated random tokens, on which head scores are defined for every task, at periods not used in training.
// At periods used in training, a head that looks a fixed distance back could score as an induction head.
Generator repetition(TaskConfig c) {
  c.name = "repeat";
  return repeat_task(c).scored;
}

TaskWords words_of_copying(const TaskConfig& c, const std::string& separator) {
  return {
      fmt::format(
          "The model reads a random *segment* of *tokens*, then the separator \"{}\", then the segment "
          "once more and random tokens after it; it must predict each next token.",
          separator),
      c.fixed_offset
          ? "After the separator, each next token is the one that stands a fixed distance back."
          : "After the separator the segment begins anew; each next token is the one that followed the same "
            "token in the first copy.",
      fmt::format("Success is an *accuracy* of at least {:.0f} % on *predictable* tokens.",
                  100 * kSolvedAccuracy),
      "The loss on *predictable* tokens falls, and some head draws a stripe below the diagonal: from each "
      "token "
      "of the second copy it looks back into the first."};
}

}  // namespace

Task copy_task(const TaskConfig& config) {
  const TaskConfig c = with_segments(config);
  check(separator_left(c),
        "a prefix of {} different tokens and a separator need a vocabulary of at least {}; it has {}.{}",
        c.max_segment, c.max_segment + 1, c.d_vocab, what_works(config, can_be_copied));
  check_held_out(c, held_out_prefixes(c), what_works(config, can_be_copied));
  const MakeSequence make = [c](std::size_t length, Rng& rng) { return copied(c, length, rng); };
  return {.config = c,
          .vocabulary = with_separator(c.d_vocab),
          .training = drawn_from({{c.min_segment, c.max_segment}}, make),
          .held_out = drawn_from(held_out_prefixes(c), make),
          .scored = repetition(c),
          .scored_on = "repeated random tokens",
          .trained_on = lengths_of(c),
          .words = words_of_copying(c, with_separator(c.d_vocab).text(kSeparator))};
}

}  // namespace headlight::inline HEADLIGHT_PRECISION::tasks
