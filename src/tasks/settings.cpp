#include "headlight/tasks/settings.h"

namespace headlight::inline HEADLIGHT_PRECISION::tasks {

const std::vector<Setting<TaskConfig>>& settings() {
  static const std::vector<Setting<TaskConfig>> rows{
      choice("name", "--task", "What the model learns", &TaskConfig::name, registry),
      setting("d_vocab", "--vocab", "Different tokens", &TaskConfig::d_vocab, at_least(1)),
      setting("n_ctx", "--context", "Positions in a sequence", &TaskConfig::n_ctx, at_least(1)),
      setting("min_segment", "--min-segment", "Shortest segment; 0: context/4", &TaskConfig::min_segment),
      setting("max_segment", "--max-segment", "Longest segment; 0: context/2", &TaskConfig::max_segment),
      setting("distinct", "--repeats", "Allow equal tokens in a segment", &TaskConfig::distinct),
      setting("fixed_offset", "--fixed-offset", "All segments have the longest length",
              &TaskConfig::fixed_offset)};
  return rows;
}

}  // namespace headlight::inline HEADLIGHT_PRECISION::tasks
