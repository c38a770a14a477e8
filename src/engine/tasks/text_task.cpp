#include "headlight/tasks/text.h"

#include <algorithm>
#include <memory>
#include <set>
#include <string_view>
#include <unordered_map>

#include "counting.h"
#include "headlight/core/check.h"
#include "headlight/core/math.h"
#include "headlight/core/setting_text.h"
#include "headlight/system/text.h"

namespace headlight::tasks {
namespace {

// Parts of the text, which must outlive them.
std::vector<std::string_view> characters_of(std::string_view text, const std::string& name) {
  std::vector<std::string_view> characters;
  for (std::size_t at = 0, next = 0; at < text.size(); at = next) {
    check_setting(text[at] != '\0', "{} is not a text: its byte {} is 0. Hint: {} takes any file.", name, at,
                  setting_key("task.bytes", true));
    next = character_end(text, at);
    check_setting(next > at, "{} is not UTF-8: no character begins at byte {}. Hint: {} takes any file.",
                  name, at, setting_key("task.bytes", true));
    characters.push_back(text.substr(at, next - at));
  }
  return characters;
}

std::vector<std::string_view> bytes_of(std::string_view text) {
  std::vector<std::string_view> bytes;
  bytes.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); ++at) bytes.push_back(text.substr(at, 1));
  return bytes;
}

Vocabulary vocabulary_of(const std::vector<std::string_view>& characters, const std::string& name) {
  const std::set<std::string_view> different(characters.begin(),
                                             characters.end());  // UTF-8 sorts by code point
  check(different.size() >= 2, "{} has only one kind of character, '{}': there is nothing to predict.", name,
        printable_token(*different.begin()));
  return Vocabulary(std::vector<std::string>(different.begin(), different.end()));
}

// The tokens of a text, where its held-out part begins, and predictors that have counted the part before.
struct Text {
  std::vector<std::int32_t> tokens;
  std::size_t held_out;
  std::vector<Reference> counted = {};
};

// For each position the position after the last earlier place where the same kRepeatedCharacters tokens
// stood; -1 where there is none, or what stands there is not the target.
std::vector<std::int32_t> copied_from(const std::vector<std::int32_t>& tokens) {
  const std::size_t n = tokens.size() - 1, k = kRepeatedCharacters;
  std::vector<std::int32_t> from(n, -1);
  for (std::size_t t = k; t < n; ++t)
    for (std::size_t j = t; j-- > k - 1;) {
      const auto end = tokens.begin() + static_cast<std::ptrdiff_t>(t) + 1;
      if (!std::equal(end - k, end, tokens.begin() + static_cast<std::ptrdiff_t>(j + 1 - k))) continue;
      if (tokens[j + 1] == tokens[t + 1]) from[t] = static_cast<std::int32_t>(j + 1);
      break;
    }
  return from;
}

Sequence window(const Text& text, std::size_t first, std::size_t n_ctx) {
  const auto begin = text.tokens.begin() + static_cast<std::ptrdiff_t>(first);
  const std::vector<std::int32_t> tokens(begin, begin + static_cast<std::ptrdiff_t>(n_ctx) + 1);
  std::vector<std::int32_t> from = copied_from(tokens);
  std::vector<bool> predictable(from.size());
  Sequence s = next_token_sequence(tokens, std::move(predictable),
                                   fmt::format("characters {} to {}", first, first + n_ctx));
  const std::vector<double> losses = text.counted.at(1).losses(s);  // of pairs
  for (std::size_t t = 0; t < from.size(); ++t) {
    if (losses[t] <= -math::log(kRare)) from[t] = -1;
    s.predictable[t] = from[t] >= 0;
  }
  s.answers = std::move(from);
  return s;
}

std::vector<std::int32_t> numbers_of(const std::vector<std::string_view>& characters,
                                     const Vocabulary& vocabulary) {
  std::unordered_map<std::string, std::int32_t> number;
  for (std::size_t i = 0; i < vocabulary.size(); ++i) {
    const auto token = static_cast<std::int32_t>(i);
    number[vocabulary.bytes(token)] = token;
  }
  std::vector<std::int32_t> tokens;
  tokens.reserve(characters.size());
  for (const std::string_view character : characters) tokens.push_back(number.at(std::string(character)));
  return tokens;
}

// Windows that lie within first … end-1.
Generator windows(std::shared_ptr<const Text> text, std::size_t first, std::size_t end, std::size_t n_ctx) {
  return [text = std::move(text), first, end, n_ctx](Rng& rng) {
    return window(*text, first + rng.below(end - first - n_ctx), n_ctx);
  };
}

// The held-out part is the last tenth, and at least one window.
Text divided(std::vector<std::int32_t> tokens, const TaskConfig& c, const std::string& name) {
  const std::size_t all = tokens.size(), window = c.n_ctx + 1, held_out = std::max(all / 10, window);
  check_setting(
      all >= 2 * window,
      "{} has {} characters, too few for a context of {}: one window to train on and one held out take {}.{}",
      name, all, c.n_ctx, 2 * window,
      all >= 8 ? SettingText(" Hint: {}.", setting_key("n_ctx", all / 2 - 1)) : SettingText());
  return {std::move(tokens), all - held_out};
}

TaskWords words_of_text(bool bytes) {
  return {
      fmt::format("The model reads a piece of a text, one {} at a time, and must predict the next one.",
                  bytes ? "byte" : "character"),
      fmt::format("Much follows from the last few characters. A token is called *copied* when only its "
                  "earlier copy tells it: the last {} characters stood in the piece before and the same one "
                  "followed, but pairs of characters give it a probability below {}.",
                  kRepeatedCharacters, kRare),
      "Success is a *loss* on the held-out part of the text below that of counting pairs of characters.",
      "The *loss* falls below that of counting pairs of characters. A *head* may copy names and words that "
      "return: look at its answer score, on the text's own repetitions, and at its induction score, on "
      "random ones."};
}

// Repeated random tokens for scoring heads, where the text has enough tokens and the context enough room.
Generator repeated_tokens(TaskConfig c) {
  if (c.d_vocab < 3 || c.n_ctx < 8) return {};
  c.name = "repeat";
  c.distinct = false;
  c.fixed_offset = false;
  c.min_segment = c.max_segment = 0;
  return repeat_task(c).scored;
}

}  // namespace

Task text_task(const TaskConfig& config, std::string text, const std::string& name) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (!config.bytes && text.starts_with(kByteOrderMark)) text.erase(0, kByteOrderMark.size());
  check(!text.empty(), "{} is empty.", name);
  check(config.n_ctx >= 2, "a context of {} is too short for the task 'text': expected at least 2.",
        config.n_ctx);
  TaskConfig c = config;
  const std::vector<std::string_view> characters = c.bytes ? bytes_of(text) : characters_of(text, name);
  Vocabulary vocabulary = c.bytes ? Vocabulary::of_bytes() : vocabulary_of(characters, name);
  c.d_vocab = vocabulary.size();
  Text whole = divided(numbers_of(characters, vocabulary), c, name);
  whole.counted = counting_predictors(
      {whole.tokens.begin(), whole.tokens.begin() + static_cast<std::ptrdiff_t>(whole.held_out)}, c.d_vocab);
  const auto parts = std::make_shared<const Text>(std::move(whole));
  const std::size_t all = parts->tokens.size();
  return {.config = c,
          .vocabulary = std::move(vocabulary),
          .training = windows(parts, 0, parts->held_out, c.n_ctx),
          .held_out = windows(parts, parts->held_out, all, c.n_ctx),
          .scored = repeated_tokens(c),
          .scored_on = "repeated random tokens",
          .trained_on = fmt::format("the first {} of {} characters", parts->held_out, all),
          .words = words_of_text(c.bytes),
          .kinds = {.predictable = "copied", .others = "other"},
          .references = parts->counted,
          .files = {{kTextFile, std::move(text)}}};
}

}  // namespace headlight::tasks
