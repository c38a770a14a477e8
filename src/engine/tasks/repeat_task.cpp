#include <algorithm>

#include "headlight/core/setting_text.h"
#include "losses.h"
#include "segments.h"

namespace headlight::tasks {
namespace {

// The held-out periods: from half the shortest trained one, and up to a quarter longer than the longest
// trained one. At least 4: at a period of 2 the token after the earlier copy is the previous token, so the
// scores of induction and previous-token heads would be equal.
std::vector<Range> held_out_periods(const TaskConfig& c) {
  const std::size_t longest = std::max(c.max_segment * 5 / 4, c.max_segment + 1);
  return {{std::max<std::size_t>(4, c.min_segment / 2), c.min_segment - 1},
          {c.max_segment + 1, c.distinct ? std::min(longest, c.d_vocab) : longest}};
}

bool enough_tokens(const TaskConfig& c) { return !c.distinct || c.max_segment <= c.d_vocab; }
bool can_be_repeated(const TaskConfig& c) { return enough_tokens(c) && any_left(held_out_periods(c)); }

// Position t is predictable from t = period on: its token and the next one occurred before.
Sequence repetition(const TaskConfig& c, std::size_t period, Rng& rng) {
  const auto segment = random_tokens(period, c.d_vocab, c.distinct, rng);
  std::vector<std::int32_t> tokens(c.n_ctx + 1);
  std::vector<bool> predictable(c.n_ctx);
  std::vector<std::int32_t> repeats(c.n_ctx);
  for (std::size_t t = 0; t <= c.n_ctx; ++t) tokens[t] = segment[t % period];
  for (std::size_t t = 0; t < c.n_ctx; ++t) {
    predictable[t] = t >= period;
    repeats[t] = static_cast<std::int32_t>(t / period);
  }
  Sequence s =
      next_token_sequence(tokens, std::move(predictable), fmt::format("segment of {} tokens", period));
  s.repeats = std::move(repeats);
  s.answers.assign(c.n_ctx, -1);
  for (std::size_t t = period; t < c.n_ctx; ++t) s.answers[t] = static_cast<std::int32_t>(t + 1 - period);
  return s;
}

// The hypotheses are the periods P, all equally likely. Given P, tokens before P are uniform (over those not
// used yet, if all are different), and from P on each token is the one P places before. So while some periods
// are still possible, the next token may begin the segment anew: this is what token 0 gains over the others.
std::vector<double> best_losses_of_repetition(const TaskConfig& c, const Sequence& s) {
  const auto vocabulary = static_cast<double>(c.d_vocab);
  const std::vector<bool> repeated = repeated_tokens(s);
  return mixture_losses(c.max_segment - c.min_segment + 1, s.tokens.size(),
                        [&](std::size_t h, std::size_t t) {
                          const std::size_t period = c.min_segment + h, next = t + 1;
                          if (next >= period)
                            return token_at(s, next) == token_at(s, next - period) ? 1.0 : 0.0;
                          if (!c.distinct) return 1 / vocabulary;
                          return repeated[next] ? 0.0 : 1 / (vocabulary - static_cast<double>(next));
                        });
}

// The entropy of a sequence, less that of its first token, by token. Where all tokens of a segment are
// different the sequence tells its period, so the entropy is that of the period and, given it, of the
// segment:
//   (ln #periods + mean over periods P of Σ ln(V - i), i = 1 … P-1) / n_ctx
std::optional<double> best_mean_of_repetition(const TaskConfig& c) {
  if (!c.distinct) return {};
  const std::size_t periods = c.max_segment - c.min_segment + 1;
  double sum = 0;
  for (std::size_t period = c.min_segment; period <= c.max_segment; ++period)
    for (std::size_t i = 1; i < period; ++i) sum += math::log(static_cast<double>(c.d_vocab - i));
  const auto count = static_cast<double>(periods);
  return (math::log(count) + sum / count) / static_cast<double>(c.n_ctx);
}

TaskWords words_of_repetition() {
  return {
      "The model reads a sequence of *tokens* and must predict each next token; in every sequence a random "
      "*segment* repeats.",
      "The first copy of the segment is random and cannot be predicted; from the second copy on, the next "
      "token is the one that followed the same token in the copy before.",
      "Success is an induction circuit that the *certificate* confirms by interventions.",
      "An induction score rises while the loss on *predictable* tokens falls. In a model of several layers "
      "a previous-token score rises too, in an earlier layer.",
      "copy"};
}

}  // namespace

Task repeat_task(const TaskConfig& config) {
  const TaskConfig c = with_segments(config);
  check_setting(enough_tokens(c),
                "a segment of {} different tokens needs a vocabulary of at least as many; it has {}.{}",
                c.max_segment, c.d_vocab, what_works(config, can_be_repeated));
  check_held_out(c, held_out_periods(c), what_works(config, can_be_repeated));
  const MakeSequence make = [c](std::size_t period, Rng& rng) { return repetition(c, period, rng); };
  const Generator unseen = drawn_from(held_out_periods(c), make);
  const std::size_t longest = c.distinct ? std::min(c.n_ctx - 1, c.d_vocab) : c.n_ctx - 1;
  return {.config = c,
          .vocabulary = Vocabulary::of_size(c.d_vocab),
          .training = drawn_from({{c.min_segment, c.max_segment}}, make),
          .held_out = unseen,
          .scored = unseen,
          .trained_on = lengths_of(c),
          .words = words_of_repetition(),
          .solved_by = "induction",
          .best_loss = [c](const Sequence& s) { return best_losses_of_repetition(c, s); },
          .best_mean = best_mean_of_repetition(c),
          .with_segment = up_to(longest, make),
          .longest_segment = longest};
}

}  // namespace headlight::tasks
