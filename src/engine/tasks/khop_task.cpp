#include "headlight/core/setting_text.h"
#include "headlight/tasks/toy_tasks.h"
#include "losses.h"

namespace headlight::tasks {
namespace {

constexpr std::int32_t kNoAnswer = 0;

// The largest j ≤ i with x(j-1) = x(i); -1 if there is none.
std::int32_t hop(const std::vector<std::int32_t>& x, std::size_t i) {
  for (std::size_t j = i; j >= 1; --j)
    if (x[j - 1] == x[i]) return static_cast<std::int32_t>(j);
  return -1;
}

Sequence hopping(const TaskConfig& c, Rng& rng) {
  Sequence s{std::vector<std::int32_t>(c.n_ctx), std::vector<std::int32_t>(c.n_ctx, kNoAnswer)};
  for (std::int32_t& token : s.tokens) token = static_cast<std::int32_t>(1 + rng.below(c.states));
  s.answers.assign(c.n_ctx, -1);
  for (std::size_t i = 0; i < c.n_ctx; ++i) {
    auto at = static_cast<std::int32_t>(i);
    for (std::size_t k = 0; k < c.hops && at >= 0; ++k) at = hop(s.tokens, static_cast<std::size_t>(at));
    s.answers[i] = at;
    if (at >= 0) s.targets[i] = s.tokens[static_cast<std::size_t>(at)];
  }
  s.note = fmt::format("{} letters, {} hop{}", c.states, c.hops, c.hops == 1 ? "" : "s");
  return s;
}

}  // namespace

Task khop_task(const TaskConfig& config) {
  TaskConfig c = config;
  c.d_vocab = c.states + 1;
  check_setting(c.states >= 1, "the task '{}' needs at least 1 letter, got {}.", c.name,
                setting_key("states", 0));
  check_setting(
      c.hops <= c.n_ctx / c.states,
      "{} hops of about {} tokens each do not fit a context of {}: it has room for {}. Hint: a larger "
      "{}, or smaller {} or {}.",
      c.hops, c.states, c.n_ctx, c.n_ctx / c.states, setting_key("n_ctx"), setting_key("task.hops"),
      setting_key("task.states"));
  return {
      .config = c,
      .vocabulary = Vocabulary::of_size(c.d_vocab, {kFilling}),
      .training = [c](Rng& rng) { return hopping(c, rng); },
      .trained_on = fmt::format("{} letters, {} hop{}", c.states, c.hops, c.hops == 1 ? "" : "s"),
      .words = {fmt::format("The model reads random letters. At each letter it must hop back to what "
                            "followed the same letter last time{}, and name the letter where it ends.",
                            c.hops == 1   ? ""
                            : c.hops == 2 ? ", hop again from there"
                                          : fmt::format(", hop on from there, {} times in all", c.hops)),
                fmt::format("The answer is the letter after {} hop{}, or \"·\" where a letter did not occur "
                            "before.",
                            c.hops, c.hops == 1 ? "" : "s"),
                "Success is an *accuracy* of at least 90 % on *predictable* tokens.",
                "One hop is what an *induction head* does. Each further *layer* can double the hops that "
                "the heads can make.",
                "hop back from letter to letter"},
      .sees_ahead = true,
      .best_loss = no_losses,
      .special = {0}};
}

}  // namespace headlight::tasks
