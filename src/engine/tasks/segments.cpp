#include "segments.h"

#include <algorithm>
#include <optional>

#include "headlight/core/check.h"
#include "headlight/core/setting_text.h"

namespace headlight::tasks {

TaskConfig with_segments(TaskConfig c) {
  check(c.n_ctx >= 8, "a context of {} is too short for the task '{}': expected at least 8.", c.n_ctx,
        c.name);
  if (c.max_segment == 0)
    c.max_segment = c.min_segment > 0 ? std::max(c.min_segment, c.n_ctx / 2) : c.n_ctx / 2;
  if (c.min_segment == 0) c.min_segment = std::min(c.n_ctx / 4, c.max_segment);
  if (c.fixed_offset) c.min_segment = c.max_segment;
  check_setting(
      c.min_segment >= 2 && c.min_segment <= c.max_segment && c.max_segment <= c.n_ctx / 2,
      "segments of {} … {} tokens do not fit a context of {}: expected 2 ≤ shortest ≤ longest ≤ {}. Hint: "
      "{} and {} fit.",
      c.min_segment, c.max_segment, c.n_ctx, c.n_ctx / 2, setting_key("min_segment", c.n_ctx / 4),
      setting_key("max_segment", c.n_ctx / 2));
  check(c.d_vocab >= 3, "a vocabulary of {} is too small: expected at least 3 tokens.", c.d_vocab);
  return c;
}

Generator drawn_from(std::vector<Range> lengths, MakeSequence make) {
  return [lengths = std::move(lengths), make = std::move(make)](Rng& rng) {
    std::size_t total = 0;
    for (const Range& range : lengths) total += range.size();
    check(total > 0, "there is no segment length to draw from.");
    std::size_t at = rng.below(total);
    for (const Range& range : lengths) {
      if (at < range.size()) return make(range.first + at, rng);
      at -= range.size();
    }
    fail("there is no segment length number {}.", at);
  };
}

MakeSequence up_to(std::size_t longest, MakeSequence make) {
  return [longest, make = std::move(make)](std::size_t length, Rng& rng) {
    check(length >= 1 && length <= longest, "[with_segment] expected a segment of 1 … {} tokens, got {}.",
          longest, length);
    return make(length, rng);
  };
}

SettingText what_works(const TaskConfig& asked, const Possible& possible) {
  std::optional<SettingText> shorter;
  for (std::size_t longest = asked.n_ctx / 2; longest >= 2 && !shorter; --longest) {
    TaskConfig c = asked;
    c.max_segment = longest;
    c.min_segment = std::min(asked.min_segment, longest);
    if (!possible(with_segments(c))) continue;
    shorter = SettingText("{}", setting_key("max_segment", longest));
    if (c.min_segment < asked.min_segment)
      shorter = SettingText("{} and {}", *shorter, setting_key("min_segment", longest));
  }
  TaskConfig repeating = asked;
  repeating.distinct = false;
  const bool may_repeat = asked.distinct && possible(with_segments(repeating));
  const SettingKey repeats = setting_key("task.distinct", false);
  if (shorter && may_repeat) return SettingText(" Hint: {}, or {}.", *shorter, repeats);
  if (shorter) return SettingText(" Hint: {}.", *shorter);
  if (may_repeat) return SettingText(" Hint: {}.", repeats);
  return SettingText(" Hint: a larger {} or {}.", setting_key("n_ctx"), setting_key("d_vocab"));
}

std::vector<Range> held_out_around(const TaskConfig& c, std::size_t longest) {
  return {{std::max<std::size_t>(2, c.min_segment / 2), c.min_segment - 1},
          {c.max_segment + 1, std::min(c.max_segment * 5 / 4, longest)}};
}

Generator repetitions_without_signs(TaskConfig c, std::size_t signs) {
  c.name = "repeat";
  c.d_vocab -= signs;
  c.distinct = c.distinct && c.max_segment < c.d_vocab;  // or no longer segment is left to score on
  return [drawn = repeat_task(c).scored, by = static_cast<std::int32_t>(signs)](Rng& rng) {
    Sequence s = drawn(rng);
    for (std::int32_t& token : s.tokens) token += by;
    for (std::int32_t& target : s.targets) target += by;  // all positions have one
    return s;
  };
}

Generator scored_repetitions(const TaskConfig& config, std::size_t signs) {
  TaskConfig c{.name = "repeat", .d_vocab = config.d_vocab, .n_ctx = config.n_ctx};
  c.max_segment = std::min(c.n_ctx / 2, (c.d_vocab - signs) * 4 / 5);
  if (c.n_ctx < 8 || c.max_segment < 4) return {};
  return repetitions_without_signs(c, signs);
}

bool any_left(const std::vector<Range>& held_out) {
  return std::any_of(held_out.begin(), held_out.end(), [](const Range& r) { return r.size() > 0; });
}

void check_held_out(const TaskConfig& c, const std::vector<Range>& held_out, const SettingText& hint) {
  check_setting(
      any_left(held_out),
      "segments of {} … {} tokens leave no other length to test on, with {} tokens and a context of {}.{}",
      c.min_segment, c.max_segment, c.d_vocab, c.n_ctx, hint);
}

std::string lengths_of(const TaskConfig& c) {
  return c.min_segment == c.max_segment
             ? fmt::format("segments of {} tokens", c.max_segment)
             : fmt::format("segments of {} to {} tokens", c.min_segment, c.max_segment);
}

std::vector<std::int32_t> random_tokens(std::size_t length, std::size_t d_vocab, bool distinct, Rng& rng) {
  if (distinct) return rng.distinct(length, d_vocab);
  std::vector<std::int32_t> tokens(length);
  for (std::int32_t& token : tokens) token = static_cast<std::int32_t>(rng.below(d_vocab));
  return tokens;
}

}  // namespace headlight::tasks
