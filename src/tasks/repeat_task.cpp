#include "repeat_task.h"

#include <algorithm>

#include "headlight/core/check.h"

namespace headlight::tasks {

RepeatTask::RepeatTask(const TaskConfig& config) : Task(config) {
  check(!config_.distinct || config_.max_segment <= config_.d_vocab,
        "a segment of {} different tokens needs a vocabulary of at least as many; it has {}.",
        config_.max_segment, config_.d_vocab);
}

// Half as long as the shortest period trained on, and up to a quarter longer than the longest. Not below 4:
// at a period of 2 the token after the earlier copy is the previous token, and heads cannot be told apart.
std::vector<Range> RepeatTask::held_out() const {
  const std::size_t longest = std::max(config_.max_segment * 5 / 4, config_.max_segment + 1);
  return {{std::max<std::size_t>(4, config_.min_segment / 2), config_.min_segment - 1},
          {config_.max_segment + 1, config_.distinct ? std::min(longest, config_.d_vocab) : longest}};
}

// Position t is predictable from t = period on: its token has been seen before, with what followed it.
Sequence RepeatTask::make(std::size_t period, Rng& rng) const {
  const std::size_t n = config_.n_ctx;
  std::vector<std::int32_t> segment;
  if (config_.distinct) {
    segment = rng.distinct(period, config_.d_vocab);
  } else {
    for (std::size_t i = 0; i < period; ++i)
      segment.push_back(static_cast<std::int32_t>(rng.below(config_.d_vocab)));
  }
  Sequence s{std::vector<std::int32_t>(n + 1), std::vector<bool>(n), period};
  for (std::size_t t = 0; t <= n; ++t) s.tokens[t] = segment[t % period];
  for (std::size_t t = 0; t < n; ++t) s.predictable[t] = t >= period;
  return s;
}

}  // namespace headlight::tasks
