#include "headlight/core/check.h"
#include "headlight/tasks/toy_tasks.h"
#include "losses.h"

namespace headlight::tasks {
namespace {

constexpr std::size_t kDeepest = 8;
constexpr std::int32_t kBalanced = 0;
// Tokens 1 and 2 open; each is closed by the token two further.
constexpr std::int32_t closing(std::int32_t opening) { return opening + 2; }

Sequence nested(const TaskConfig& c, Rng& rng) {
  Sequence s;
  std::vector<std::int32_t> open;
  std::size_t deepest = 0;
  for (std::size_t t = 0; t < c.n_ctx; ++t) {
    const bool opens = open.empty() || (open.size() < kDeepest && rng.below(2) == 0);
    if (opens) {
      open.push_back(static_cast<std::int32_t>(1 + rng.below(2)));
      s.tokens.push_back(open.back());
    } else {
      s.tokens.push_back(closing(open.back()));
      open.pop_back();
    }
    s.targets.push_back(open.empty() ? kBalanced : closing(open.back()));
    deepest = std::max(deepest, open.size());
  }
  s.note = fmt::format("brackets up to {} deep", deepest);
  return s;
}

}  // namespace

Task brackets_task(const TaskConfig& config) {
  TaskConfig c = config;
  check(c.n_ctx >= 2, "a context of {} is too short for the task 'brackets': expected at least 2.", c.n_ctx);
  c.d_vocab = 5;
  return {
      .config = c,
      .vocabulary = Vocabulary({kFilling, "(", "[", ")", "]"}),
      .training = [c](Rng& rng) { return nested(c, rng); },
      .trained_on = fmt::format("brackets up to {} deep", kDeepest),
      .words =
          {"The model reads brackets of two kinds, where each that is closed is closed in the right order; at each "
           "position it must say which bracket closes the innermost open one.",
           "The answer depends on the last bracket that is still open, however far back; it is \"·\" "
           "where none is open.",
           "Success is an *accuracy* of at least 90 % on *predictable* tokens.",
           "Heads that compare depths: from a position they look at the last bracket that was opened "
           "at the same depth.",
           "close brackets"},
      .sees_ahead = true,
      .best_loss = no_losses};
}

}  // namespace headlight::tasks
