// Sequences to look at heads on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "headlight/tasks/task.h"

namespace headlight::inline HEADLIGHT_PRECISION::experiment {

struct Example {
  std::string label;                  // "segment of 12 tokens, never trained on"
  std::vector<std::int32_t> tokens;   // what a model reads
  std::vector<std::int32_t> targets;  // what it should say; kNoTarget where that is not known
  std::vector<bool> predictable;  // whether the target follows from the tokens up to there; empty: not known
  std::vector<std::int32_t> repeats = {};  // which copy of the segment a token belongs to; empty: not known
};

// The first of a run's examples: what `plot` draws when no tokens are given. It is of the kind trained on.
Example first_example(const tasks::Task& task, std::uint64_t seed);

// `count` examples: the first, then one of a kind never trained on, and so on in turn, where the task has
// such. When heads are scored on other sequences than the task's own, the last one is of those.
std::vector<Example> examples(const tasks::Task& task, std::uint64_t seed, std::size_t count);

// A sequence of one's own. Of its last token the next is unknown. A token counts as predictable when it also
// followed the last earlier copy of the token before it.
Example own_example(const std::vector<std::int32_t>& tokens);

}  // namespace headlight::inline HEADLIGHT_PRECISION::experiment
