// Sequences to look at heads on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "headlight/tasks/task.h"

namespace headlight::run {

struct Example {
  std::string label;                  // "segment of 12 tokens, never trained on"
  std::vector<std::int32_t> tokens;   // what a model reads
  std::vector<std::int32_t> targets;  // the right predictions; kNoTarget where unknown
  std::vector<bool> predictable;      // whether the target follows from the tokens so far; empty: unknown
  std::vector<std::int32_t> repeats = {};  // the copy of the segment that a token belongs to; empty: unknown
  std::vector<std::int32_t> source = {};   // what an encoder reads; empty: no encoder
};

// The first of a run's examples, of the kind used in training. `plot` draws it when no tokens are given.
Example first_example(const tasks::Task& task, std::uint64_t seed);

// `count` examples: the first, then in turn one of a kind not used in training (if the task has such a kind)
// and one of the kind used in training. If heads are scored on other sequences than the task's own, the last
// example is one of those.
std::vector<Example> examples(const tasks::Task& task, std::uint64_t seed, std::size_t count);

// A sequence that the user gives. The token after its last one is unknown. A token counts as predictable if
// it also followed the last earlier copy of the token before it.
Example own_example(const std::vector<std::int32_t>& tokens, const std::vector<std::int32_t>& source = {});

// The same of texts. Throws Error for texts that do not fit the task: see tasks::read_tokens(). A source
// is expected where the task has one, and only there.
Example own_example(const tasks::Task& task, const std::string& tokens, const std::string& source);

}  // namespace headlight::run
