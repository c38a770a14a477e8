#include <algorithm>

#include "headlight/core/setting_text.h"
#include "losses.h"
#include "segments.h"

namespace headlight::tasks {
namespace {

// The held-out lengths of the prefix, if prefix, separator and copy fit.
std::vector<Range> held_out_prefixes(const TaskConfig& c) {
  return held_out_around(c, c.distinct ? std::min(c.n_ctx / 2, c.d_vocab - 1) : c.n_ctx / 2);
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
  s.answers.assign(c.n_ctx, -1);
  for (std::size_t t = length; t < c.n_ctx; ++t)
    if (s.predictable[t]) s.answers[t] = static_cast<std::int32_t>(t - length);
  return s;
}

// The hypotheses are the lengths L of the prefix, all equally likely. Given L, the tokens before the
// separator are uniform over the letters (those not used yet, if all are different), the separator is
// certain, the L tokens after it are certain, and the rest is uniform again.
std::vector<double> best_losses_of_copying(const TaskConfig& c, const Sequence& s) {
  const auto letters = static_cast<double>(c.d_vocab - 1);
  const std::vector<bool> repeated = repeated_tokens(s);
  return mixture_losses(c.max_segment - c.min_segment + 1, s.tokens.size(),
                        [&](std::size_t h, std::size_t t) {
                          const std::size_t length = c.min_segment + h, next = t + 1;
                          const std::int32_t token = token_at(s, next);
                          if (next == length) return token == kSeparator ? 1.0 : 0.0;
                          if (next > length && next <= 2 * length)
                            return token == token_at(s, next - length - 1) ? 1.0 : 0.0;
                          if (token == kSeparator) return 0.0;
                          if (next > length || !c.distinct) return 1 / letters;
                          return repeated[next] ? 0.0 : 1 / (letters - static_cast<double>(next));
                        });
}

// The entropy of a sequence, less that of its first token, by token. The separator tells the length L of the
// prefix, of which there are V - 1 letters; the copy is certain, and what follows it is uniform:
//   (ln #lengths + mean over L of Σ ln(V - 1 - i), i = 1 … L-1, + (n_ctx - 2L) ln(V - 1)) / n_ctx
double best_mean_of_copying(const TaskConfig& c) {
  const auto letters = static_cast<double>(c.d_vocab - 1);
  double sum = 0;
  for (std::size_t length = c.min_segment; length <= c.max_segment; ++length) {
    for (std::size_t i = 1; i < length; ++i)
      sum += math::log(c.distinct ? letters - static_cast<double>(i) : letters);
    sum += static_cast<double>(c.n_ctx - 2 * length) * math::log(letters);
  }
  const auto lengths = static_cast<double>(c.max_segment - c.min_segment + 1);
  return (math::log(lengths) + sum / lengths) / static_cast<double>(c.n_ctx);
}

// "|" and the letters, or numbers where letters are not enough.
Vocabulary with_separator(std::size_t size) {
  const Vocabulary plain = Vocabulary::of_size(size);
  if (plain.text(0) == "0") return plain;
  std::vector<std::string> texts{"|"};
  for (std::size_t i = 0; i + 1 < size; ++i) texts.push_back(plain.text(static_cast<std::int32_t>(i)));
  return Vocabulary(std::move(texts));
}

TaskWords words_of_copying(const TaskConfig& c, const std::string& separator) {
  return {
      fmt::format(
          "The model reads a random *segment* of *tokens*, then the separator \"{}\", then the segment "
          "once more and random tokens after it; it must predict each next token.",
          separator),
      c.fixed_offset
          ? "After the separator comes the copy: each of its tokens is the one a fixed distance back."
          : "After the separator the segment begins anew; each next token is the one that followed the same "
            "token in the first copy.",
      fmt::format("Success is an *accuracy* of at least {:.0f} % on *predictable* tokens.",
                  100 * kSolvedAccuracy),
      "The loss on *predictable* tokens falls, and some head draws a stripe below the diagonal: "
      "from each token of the second copy it looks back into the first.",
      "copy a segment"};
}

}  // namespace

Task copy_task(const TaskConfig& config) {
  const TaskConfig c = with_segments(config);
  check_setting(
      separator_left(c),
      "a prefix of {} different tokens and a separator need a vocabulary of at least {}; it has {}.{}",
      c.max_segment, c.max_segment + 1, c.d_vocab, what_works(config, can_be_copied));
  check_held_out(c, held_out_prefixes(c), what_works(config, can_be_copied));
  const MakeSequence make = [c](std::size_t length, Rng& rng) { return copied(c, length, rng); };
  const std::size_t longest = c.distinct ? std::min(c.n_ctx, c.d_vocab) - 1 : c.n_ctx - 1;
  return {.config = c,
          .vocabulary = with_separator(c.d_vocab),
          .training = drawn_from({{c.min_segment, c.max_segment}}, make),
          .held_out = drawn_from(held_out_prefixes(c), make),
          // At periods used in training, a head that looks a fixed distance back could score as an induction
          // head.
          .scored = repetitions_without_signs(c, 1),
          .scored_on = "repeated random tokens",
          .trained_on = lengths_of(c),
          .words = words_of_copying(c, with_separator(c.d_vocab).text(kSeparator)),
          .best_loss = [c](const Sequence& s) { return best_losses_of_copying(c, s); },
          .best_mean = best_mean_of_copying(c),
          .with_segment = up_to(longest, make),
          .longest_segment = longest,
          .special = {kSeparator}};
}

}  // namespace headlight::tasks
