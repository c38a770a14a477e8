#include "headlight/core/check.h"
#include "headlight/tasks/toy_tasks.h"
#include "losses.h"

namespace headlight::tasks {
namespace {

// Letters are tokens 0 … states-1; the count n is token states + n - 1.
Sequence counted(const TaskConfig& c, Rng& rng) {
  Sequence s;
  std::vector<std::size_t> counts(c.states, 0);
  for (std::size_t t = 0; t < c.n_ctx; ++t) {
    const std::size_t letter = rng.below(c.states);
    s.tokens.push_back(static_cast<std::int32_t>(letter));
    s.targets.push_back(static_cast<std::int32_t>(c.states + counts[letter]++));
  }
  s.note = fmt::format("{} letters", c.states);
  return s;
}

Vocabulary letters_and_counts(const TaskConfig& c) {
  const Vocabulary letters = Vocabulary::of_size(c.states);
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < c.states; ++i) texts.push_back(letters.text(static_cast<std::int32_t>(i)));
  for (std::size_t n = 1; n <= c.n_ctx; ++n) texts.push_back(fmt::format("×{}", n));
  return Vocabulary(std::move(texts));
}

}  // namespace

Task histogram_task(const TaskConfig& config) {
  TaskConfig c = config;
  check(c.n_ctx >= 2, "a context of {} is too short for the task 'histogram': expected at least 2.", c.n_ctx);
  c.d_vocab = c.states + c.n_ctx;
  return {
      .config = c,
      .vocabulary = letters_and_counts(c),
      .training = [c](Rng& rng) { return counted(c, rng); },
      .trained_on = fmt::format("{} letters", c.states),
      .words = {"The model reads random letters; at each one it must say how often this letter occurred so "
                "far.",
                "The answer is a number: \"×3\" at the third time.",
                "Success is an *accuracy* of at least 90 % on *predictable* tokens.",
                "Some head gives its *attention weight* to all earlier copies of the same letter. A mean "
                "over them does not tell how many they are, so counting needs something to compare with, "
                "such as the first token.",
                "count how often each letter came"},
      .sees_ahead = true,
      .best_loss = no_losses};
}

}  // namespace headlight::tasks
