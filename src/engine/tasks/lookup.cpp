#include "lookup.h"

#include <algorithm>

#include "headlight/core/check.h"
#include "headlight/core/setting_text.h"
#include "losses.h"
#include "segments.h"

namespace headlight::tasks {
namespace {

// Token 0 fills up; then come the keys, then the values.
std::size_t keys_of(const TaskConfig& c) { return c.d_vocab / 2; }
std::size_t values_of(const TaskConfig& c) { return c.d_vocab - 1 - keys_of(c); }

std::size_t most_pairs(const TaskConfig& c) {
  return std::min(keys_of(c), c.n_ctx > c.queries ? (c.n_ctx - c.queries) / 2 : 0);
}

TaskConfig with_pairs(TaskConfig c) {
  check(c.d_vocab >= 5, "a vocabulary of {} is too small: expected at least 5 tokens.", c.d_vocab);
  if (c.pairs == 0) c.pairs = std::max<std::size_t>(1, std::min(c.n_ctx / 4, keys_of(c)));
  if (c.queries == 0) c.queries = std::max<std::size_t>(1, c.pairs / 2);
  check_setting(c.queries <= c.pairs, "{} queries need at least as many pairs, got {}. Hint: {}.", c.queries,
                c.pairs, setting_key("task.queries", c.pairs));
  check_setting(
      c.pairs <= most_pairs(c),
      "{} pairs with {} queries do not fit a context of {} with {} keys: expected at most {}. Hint: "
      "{}, or a larger {} or {}.",
      c.pairs, c.queries, c.n_ctx, keys_of(c), most_pairs(c), setting_key("task.pairs", most_pairs(c)),
      setting_key("n_ctx"), setting_key("d_vocab"));
  return c;
}

Range trained_pairs(const TaskConfig& c) { return {std::max(c.queries, (c.pairs + 1) / 2), c.pairs}; }

std::vector<Range> held_out_pairs(const TaskConfig& c) {
  const Range trained = trained_pairs(c);
  return {{std::max(c.queries, trained.first / 2), trained.first - 1},
          {c.pairs + 1, std::min(std::max(c.pairs * 5 / 4, c.pairs + 1), most_pairs(c))}};
}

Sequence asked(const TaskConfig& c, std::size_t pairs, Rng& rng) {
  const auto keys = rng.distinct(pairs, keys_of(c)), order = rng.distinct(c.queries, pairs);
  Sequence s{std::vector<std::int32_t>(c.n_ctx, 0), std::vector<std::int32_t>(c.n_ctx, kNoTarget)};
  s.answers.assign(c.n_ctx, -1);
  for (std::size_t i = 0; i < pairs; ++i) {
    s.tokens[2 * i] = 1 + keys[i];
    s.tokens[2 * i + 1] = static_cast<std::int32_t>(1 + keys_of(c) + rng.below(values_of(c)));
  }
  for (std::size_t q = 0; q < c.queries; ++q) {
    const std::size_t t = 2 * pairs + q, at = 2 * static_cast<std::size_t>(order[q]);
    s.tokens[t] = s.tokens[at];
    s.targets[t] = s.tokens[at + 1];
    s.answers[t] = static_cast<std::int32_t>(at + 1);
  }
  s.note = fmt::format("{} pair{}", pairs, pairs == 1 ? "" : "s");
  return s;
}

// "·", A … Z for keys, a … z for values; plain names where letters are not enough.
Vocabulary keys_and_values(const TaskConfig& c) {
  if (keys_of(c) > 26) return Vocabulary::of_size(c.d_vocab, {kFilling});
  std::vector<std::string> texts{kFilling};
  for (std::size_t i = 0; i < keys_of(c); ++i) texts.emplace_back(1, static_cast<char>('A' + i));
  for (std::size_t i = 0; i < values_of(c); ++i) texts.emplace_back(1, static_cast<char>('a' + i));
  return Vocabulary(std::move(texts));
}

}  // namespace

Task lookup_task(const TaskConfig& config, const TaskWords& words) {
  const TaskConfig c = with_pairs(config);
  const MakeSequence make = [c](std::size_t pairs, Rng& rng) { return asked(c, pairs, rng); };
  const std::vector<Range> held_out = held_out_pairs(c);
  const Range trained = trained_pairs(c);
  return {.config = c,
          .vocabulary = keys_and_values(c),
          .training = drawn_from({trained}, make),
          .held_out = any_left(held_out) ? drawn_from(held_out, make) : Generator(),
          .scored = scored_repetitions(c, 1),
          .scored_on = "repeated random tokens",
          .trained_on = fmt::format("{} to {} pairs", trained.first, trained.last),
          .words = words,
          .sees_ahead = true,
          .best_loss = no_losses,
          .special = {0}};
}

}  // namespace headlight::tasks
