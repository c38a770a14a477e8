#include "headlight/core/check.h"
#include "headlight/tasks/toy_tasks.h"
#include "losses.h"

namespace headlight::tasks {
namespace {

Sequence bits(const TaskConfig& c, Rng& rng) {
  Sequence s;
  std::int32_t parity = 0;
  for (std::size_t t = 0; t < c.n_ctx; ++t) {
    const auto bit = static_cast<std::int32_t>(rng.below(2));
    s.tokens.push_back(bit);
    s.targets.push_back(parity ^= bit);
  }
  s.note = fmt::format("{} bits", c.n_ctx);
  return s;
}

}  // namespace

Task parity_task(const TaskConfig& config) {
  TaskConfig c = config;
  c.d_vocab = 2;
  return {
      .config = c,
      .vocabulary = Vocabulary({"0", "1"}),
      .training = [c](Rng& rng) { return bits(c, rng); },
      .trained_on = fmt::format("{} bits", c.n_ctx),
      .words = {"The model reads random bits; at each one it must say whether the number of ones so far is "
                "odd (1) or even (0).",
                "The answer changes at every one, and stays at every zero.",
                "Success is an *accuracy* of at least 90 % on *predictable* tokens.",
                "No *token* tells anything alone, so attention finds parity hard: the first positions are "
                "learned first, and long sequences may never be.",
                "tell whether the number of ones is odd"},
      .sees_ahead = true,
      .best_loss = no_losses};
}

}  // namespace headlight::tasks
