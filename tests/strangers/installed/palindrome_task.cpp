// A task of somebody else: read some letters and a mark, then say the letters backwards.
#include "headlight/tasks/task.h"

namespace hl = headlight;

namespace {

hl::tasks::Task palindrome_task(const hl::tasks::TaskConfig& config) {
  const std::size_t half = config.n_ctx / 2;
  return {.config = config,
          .vocabulary = hl::tasks::Vocabulary::of_size(config.d_vocab),
          .training = [config, half](hl::Rng& rng) {
            hl::tasks::Sequence s{std::vector<std::int32_t>(2 * half),
                                  std::vector<std::int32_t>(2 * half, hl::tasks::kNoTarget)};
            for (std::size_t t = 0; t < half; ++t) s.tokens[t] = 1 + rng.below(config.d_vocab - 1);
            for (std::size_t t = 0; t < half; ++t) {
              s.targets[half + t] = s.tokens[half - 1 - t];
              s.tokens[half + t] = t == 0 ? 0 : s.targets[half + t - 1];
            }
            return s;
          }};
}

const bool added = (hl::tasks::registry().add(
                        {"palindrome", "letters and a mark, then the letters backwards", palindrome_task}),
                    true);

}  // namespace
