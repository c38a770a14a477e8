// Sequences to look at heads on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "headlight/tasks/task.h"

namespace headlight::app {

struct Example {
  std::string label;                  // "segment of 12 tokens, never trained on"
  std::vector<std::int32_t> tokens;   // what a model reads
  std::vector<std::int32_t> targets;  // the token after each; -1 where it is not known
  std::vector<bool> predictable;  // whether the target follows from the tokens up to there; empty: not known
};

// The first of a run's examples: what `plot` draws when no tokens are given. Its segment length is one of
// those trained on.
Example first_example(const tasks::Task& task, std::uint64_t seed);

// `count` examples: the first, then one with a length never trained on, and so on in turn. On a task that is
// not the repetition of random tokens, the last one is: head scores are measured on that.
std::vector<Example> examples(const tasks::Task& task, std::uint64_t seed, std::size_t count);

// A sequence of one's own. Of its last token the next is unknown.
Example own_example(const std::vector<std::int32_t>& tokens);

}  // namespace headlight::app
