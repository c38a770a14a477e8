#include "copy_task.h"

#include <algorithm>

#include "headlight/core/check.h"

namespace headlight::tasks {

CopyTask::CopyTask(const TaskConfig& config) : Task(config) {
  check(!config_.distinct || config_.max_segment < config_.d_vocab,
        "a prefix of {} different tokens and a separator need a vocabulary of at least {}; it has {}.",
        config_.max_segment, config_.max_segment + 1, config_.d_vocab);
}

// Shorter prefixes than trained on, down to half; longer ones as far as prefix, separator and copy fit.
std::vector<Range> CopyTask::held_out() const {
  std::size_t longest = std::min(config_.max_segment * 5 / 4, config_.n_ctx / 2);
  if (config_.distinct) longest = std::min(longest, config_.d_vocab - 1);
  return {{std::max<std::size_t>(2, config_.min_segment / 2), config_.min_segment - 1},
          {config_.max_segment + 1, longest}};
}

// Predictable is what follows the separator (the prefix starts where the sequence does) and each copied
// token but the last.
Sequence CopyTask::make(std::size_t length, Rng& rng) const {
  const std::size_t n = config_.n_ctx;
  const auto any = [&] { return static_cast<std::int32_t>(1 + rng.below(config_.d_vocab - 1)); };
  std::vector<std::int32_t> prefix;
  if (config_.distinct) {
    prefix = rng.distinct(length, config_.d_vocab - 1);
    for (std::int32_t& token : prefix) ++token;
  } else {
    for (std::size_t i = 0; i < length; ++i) prefix.push_back(any());
  }
  Sequence s{prefix, std::vector<bool>(n, false), length};
  s.tokens.push_back(kSeparator);
  s.tokens.insert(s.tokens.end(), prefix.begin(), prefix.end());
  while (s.tokens.size() < n + 1) s.tokens.push_back(any());
  s.tokens.resize(n + 1);
  for (std::size_t t = length; t < std::min(2 * length, n); ++t) s.predictable[t] = true;
  return s;
}

std::string CopyTask::token_text(std::int32_t token) const {
  if (config_.d_vocab > 64) return Task::token_text(token);
  return token == kSeparator ? "|" : Task::token_text(token - 1);
}

}  // namespace headlight::tasks
