#include <memory>

#include "headlight/core/check.h"
#include "headlight/core/memory.h"
#include "headlight/core/setting_text.h"
#include "headlight/tasks/toy_tasks.h"
#include "losses.h"
#include "segments.h"

namespace headlight::tasks {
namespace {

constexpr double kTriggerShare = 0.25;  // of the tokens after a plain one
constexpr std::uint64_t kMatrixSeed = 2023;

// Tokens 0 … triggers-1 are the triggers. Row z, for plain tokens only: P(next | z).
using Matrix = std::vector<std::vector<double>>;

// The rows are proportional to cubes of exponential numbers, so some followers are much likelier than others.
Matrix bigram_matrix(const TaskConfig& c) {
  Rng rng = Rng(kMatrixSeed).stream("bigrams");
  Matrix matrix(c.d_vocab, std::vector<double>(c.d_vocab));
  for (std::vector<double>& row : matrix) {
    double total = 0;
    for (std::size_t i = c.triggers; i < c.d_vocab; ++i) {
      const double x = -math::log(1 - rng.uniform());
      total += row[i] = x * x * x;
    }
    for (std::size_t i = 0; i < c.d_vocab; ++i)
      row[i] = i < c.triggers ? kTriggerShare / static_cast<double>(c.triggers)
                              : (1 - kTriggerShare) * row[i] / total;
  }
  return matrix;
}

std::size_t drawn_by(const std::vector<double>& row, Rng& rng) {
  double left = rng.uniform();
  std::size_t next = 0;
  while (next + 1 < row.size() && (left -= row[next]) >= 0) ++next;
  return next;
}

Sequence triggered(const TaskConfig& c, const Matrix& matrix, Rng& rng) {
  const std::size_t plain = c.d_vocab - c.triggers;
  std::vector<std::size_t> followers(c.triggers);
  for (std::size_t& follower : followers) follower = c.triggers + rng.below(plain);
  std::vector<std::int32_t> tokens{static_cast<std::int32_t>(c.triggers + rng.below(plain))};
  std::vector<std::int32_t> answers, last(c.triggers, -1);  // where each trigger's follower was seen
  std::vector<bool> predictable;
  for (std::size_t t = 0; t < c.n_ctx; ++t) {
    const auto z = static_cast<std::size_t>(tokens.back());
    const bool trigger = z < c.triggers;
    tokens.push_back(static_cast<std::int32_t>(trigger ? followers[z] : drawn_by(matrix[z], rng)));
    answers.push_back(trigger ? last[z] : -1);
    predictable.push_back(answers.back() >= 0);
    if (trigger) last[z] = static_cast<std::int32_t>(t + 1);
  }
  Sequence s = next_token_sequence(tokens, std::move(predictable), fmt::format("{} triggers", c.triggers));
  s.answers = std::move(answers);
  return s;
}

// `in_context`: whether the predictor remembers the followers of triggers that it has seen.
std::vector<double> trigger_losses(const TaskConfig& c, const Matrix& matrix, bool in_context,
                                   const Sequence& s) {
  std::vector<bool> seen(c.triggers, false);
  std::vector<double> losses;
  for (std::size_t t = 0; t < s.tokens.size(); ++t) {
    const auto z = static_cast<std::size_t>(s.tokens[t]), next = static_cast<std::size_t>(s.targets[t]);
    if (z >= c.triggers)
      losses.push_back(-math::log(matrix[z][next]));
    else
      losses.push_back(seen[z] ? 0.0 : math::log(static_cast<double>(c.d_vocab - c.triggers)));
    if (z < c.triggers) seen[z] = in_context;
  }
  return losses;
}

TaskWords words_of_triggers(const TaskConfig& c) {
  return {
      fmt::format(
          "The model reads *tokens* drawn by fixed odds, each from the one before. The first {} "
          "tokens of the vocabulary are triggers: in every sequence each has one follower of its own.",
          c.triggers),
      "After a trigger that occurred before, the next token is the one that followed it then; all else is "
      "a matter of odds.",
      "Success is an *accuracy* of at least 90 % on *predictable* tokens.",
      "The odds are learned first, into the *parameters*; then an *induction head* forms that remembers the "
      "triggers' followers from the sequence itself.",
      "repeat what followed a trigger"};
}

}  // namespace

Task triggers_task(const TaskConfig& c) {
  check(c.d_vocab >= 3, "a vocabulary of {} is too small: expected at least 3 tokens.", c.d_vocab);
  check_setting(
      c.triggers <= c.d_vocab - 2,
      "{} triggers and two more tokens do not fit a vocabulary of {}. Hint: at most {} triggers, or a larger "
      "{}.",
      c.triggers, c.d_vocab, c.d_vocab - 2, setting_key("d_vocab"));
  check(c.n_ctx >= 4, "a context of {} is too short for the task 'triggers': expected at least 4.", c.n_ctx);
  const double words = static_cast<double>(c.d_vocab);
  require_memory(sizeof(double) * words * words, SettingText("the task 'triggers' of this vocabulary"),
                 SettingText("choose a smaller {}", setting_key("d_vocab")));
  const auto matrix = std::make_shared<const Matrix>(bigram_matrix(c));
  return {.config = c,
          .vocabulary = Vocabulary::of_size(c.d_vocab),
          .training = [c, matrix](Rng& rng) { return triggered(c, *matrix, rng); },
          .scored = scored_repetitions(c),
          .scored_on = "repeated random tokens",
          .trained_on = fmt::format("{} triggers", c.triggers),
          .words = words_of_triggers(c),
          .best_loss = [c, matrix](const Sequence& s) { return trigger_losses(c, *matrix, true, s); },
          .references = {{"bigrams",
                          [c, matrix](const Sequence& s) { return trigger_losses(c, *matrix, false, s); }}}};
}

}  // namespace headlight::tasks
