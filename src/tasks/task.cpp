#include "headlight/tasks/task.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <sstream>
#include <string_view>

#include "copy_task.h"
#include "headlight/core/check.h"
#include "repeat_task.h"

namespace headlight::tasks {
namespace {

constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

TaskConfig filled_in(TaskConfig c) {
  check(c.n_ctx >= 8, "a context of {} is too short for the task '{}': expected at least 8.", c.n_ctx,
        c.name);
  if (c.max_segment == 0)
    c.max_segment = c.min_segment > 0 ? std::max(c.min_segment, c.n_ctx / 2) : c.n_ctx / 2;
  if (c.min_segment == 0) c.min_segment = std::min(c.n_ctx / 4, c.max_segment);
  if (c.fixed_offset) c.min_segment = c.max_segment;
  check(c.min_segment >= 2 && c.min_segment <= c.max_segment && c.max_segment <= c.n_ctx / 2,
        "segments of {} … {} tokens do not fit a context of {}: expected 2 ≤ shortest ≤ longest ≤ {}.",
        c.min_segment, c.max_segment, c.n_ctx, c.n_ctx / 2);
  check(c.d_vocab >= 3, "a vocabulary of {} is too small: expected at least 3 tokens.", c.d_vocab);
  return c;
}

std::string all_letters(const Task& task) {
  std::string letters;
  for (std::size_t i = 0; i < task.config().d_vocab; ++i)
    letters += task.token_text(static_cast<std::int32_t>(i));
  return letters;
}

}  // namespace

Task::Task(TaskConfig config) : config_(filled_in(std::move(config))) {}

std::size_t Task::pick(const std::vector<Range>& ranges, Rng& rng) {
  std::size_t total = 0;
  for (const Range& range : ranges) total += range.empty() ? 0 : range.last - range.first + 1;
  check(total > 0, "there is no segment length to draw from.");
  std::size_t at = rng.below(total);
  for (const Range& range : ranges) {
    const std::size_t size = range.empty() ? 0 : range.last - range.first + 1;
    if (at < size) return range.first + at;
    at -= size;
  }
  return ranges.back().last;
}

std::string Task::token_text(std::int32_t token) const {
  const auto i = static_cast<std::size_t>(token);
  return config_.d_vocab <= kLetters.size() && i < kLetters.size() ? std::string(1, kLetters[i])
                                                                   : std::to_string(token);
}

std::vector<std::int32_t> Task::tokens_from_text(const std::string& text) const {
  std::vector<std::int32_t> tokens;
  if (config_.d_vocab > kLetters.size()) {
    std::istringstream words(text);
    for (std::string word; words >> word;) {
      std::int32_t token = -1;
      const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), token);
      check(error == std::errc() && end == word.data() + word.size() && token >= 0 &&
                static_cast<std::size_t>(token) < config_.d_vocab,
            "'{}' is not a token: expected numbers 0 … {} with spaces between.", word, config_.d_vocab - 1);
      tokens.push_back(token);
    }
  } else {
    for (std::size_t at = 0, next = 0; at < text.size(); at = next) {
      next = at + 1;  // a character of UTF-8 goes on as long as bytes begin with 10
      while (next < text.size() && (static_cast<unsigned char>(text[next]) & 0xc0U) == 0x80U) ++next;
      const std::string c = text.substr(at, next - at);
      if (std::isspace(static_cast<unsigned char>(c[0])) != 0) continue;
      std::int32_t token = 0;
      while (static_cast<std::size_t>(token) < config_.d_vocab && token_text(token) != c) ++token;
      check(static_cast<std::size_t>(token) < config_.d_vocab,
            "'{}' is not a token: expected characters of '{}'.", c, all_letters(*this));
      tokens.push_back(token);
    }
  }
  check(!tokens.empty(), "there are no tokens in '{}'.", text);
  check(tokens.size() <= config_.n_ctx, "{} tokens do not fit the context of {}.", tokens.size(),
        config_.n_ctx);
  return tokens;
}

std::unique_ptr<Task> make_task(const TaskConfig& config) {
  std::unique_ptr<Task> task;
  if (config.name == "repeat") task = std::make_unique<RepeatTask>(config);
  if (config.name == "copy") task = std::make_unique<CopyTask>(config);
  check(task != nullptr, "unknown task '{}': expected repeat or copy.", config.name);
  const TaskConfig& c = task->config();
  const auto ranges = task->held_out();
  check(!std::all_of(ranges.begin(), ranges.end(), [](const Range& r) { return r.empty(); }),
        "segments of {} … {} tokens leave no other length to test on, with {} tokens and a context of {}. "
        "Hint: a "
        "narrower range, a longer context or a larger vocabulary.",
        c.min_segment, c.max_segment, c.d_vocab, c.n_ctx);
  return task;
}

Batch draw_batch(const Task& task, std::size_t count, const Rng& rng, std::uint64_t first, Lengths lengths) {
  const std::size_t n = task.config().n_ctx;
  Batch batch{IntArray::from_shape({count, n}), IntArray::from_shape({count, n}),
              BoolArray({count, n}, false)};
  for (std::size_t b = 0; b < count; ++b) {
    Rng own = rng.stream("sequence", first + b);
    const Sequence s = lengths == Lengths::training ? task.draw(own) : task.draw_held_out(own);
    std::copy_n(s.tokens.begin(), n, batch.tokens.data() + b * n);
    std::copy_n(s.tokens.begin() + 1, n, batch.targets.data() + b * n);
    std::copy_n(s.predictable.begin(), n, batch.predictable.data() + b * n);
  }
  return batch;
}

Batch batch_rows(const Batch& batch, std::size_t first, std::size_t count) {
  const std::size_t n = batch.tokens.shape()[1];
  Batch part{IntArray::from_shape({count, n}), IntArray::from_shape({count, n}),
             BoolArray({count, n}, false)};
  std::copy_n(batch.tokens.data() + first * n, count * n, part.tokens.data());
  std::copy_n(batch.targets.data() + first * n, count * n, part.targets.data());
  std::copy_n(batch.predictable.data() + first * n, count * n, part.predictable.data());
  return part;
}

}  // namespace headlight::tasks
