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
  std::vector<std::int32_t> targets;  // the right predictions; kNoTarget where unknown
  std::vector<bool> predictable;      // whether the target follows from the tokens so far; empty: unknown
  std::vector<std::int32_t> repeats = {};  // the copy of the segment that a token belongs to; empty: unknown
};

// The first of a run's examples, of the kind used in training. `plot` draws it when no tokens are given.
Example first_example(const tasks::Task& task, std::uint64_t seed);

// `count` examples: the first, then in turn one of a kind not used in training (if the task has such a kind)
// and one of the kind used in training. If heads are scored on other sequences than the task's own, the last
// example is one of those.
std::vector<Example> examples(const tasks::Task& task, std::uint64_t seed, std::size_t count);

// A sequence that the user gives. The token after its last one is unknown. A token counts as predictable if
// it also followed the last earlier copy of the token before it.
Example own_example(const std::vector<std::int32_t>& tokens);

}  // namespace headlight::inline HEADLIGHT_PRECISION::experiment
