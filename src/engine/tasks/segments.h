// Tasks whose sequences have a segment of random length: the lengths used in training, and the held-out
// lengths.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "headlight/core/setting_text.h"
#include "headlight/tasks/task.h"

namespace headlight::tasks {

// Lengths first … last; none when first > last.
struct Range {
  std::size_t first, last;
  std::size_t size() const { return first > last ? 0 : last - first + 1; }
};

// The config with the zeros filled in. Throws Error for lengths that do not fit the context.
TaskConfig with_segments(TaskConfig config);

// Draws a length, all equally likely, then the sequence.
Generator drawn_from(std::vector<Range> lengths, MakeSequence make);

// The same for segments of 1 … longest tokens only. Throws Error for another length.
MakeSequence up_to(std::size_t longest, MakeSequence make);

// Whether a task can be posed: asked of a config with the zeros filled in.
using Possible = std::function<bool(const TaskConfig&)>;

// " Hint: max_segment = 10, or task.distinct = false.": the longest segments with which the task can be
// posed, and whether equal tokens would help.
SettingText what_works(const TaskConfig& asked, const Possible& possible);

// Lengths around those used in training: from half the shortest one, and up to a quarter longer than the
// longest one, at most `longest`.
std::vector<Range> held_out_around(const TaskConfig& config, std::size_t longest);

// The held-out sequences of the repeat task of these sizes, without the vocabulary's first `signs` tokens:
// they have a part of their own in the task, and a model may expect them at places of their own.
Generator repetitions_without_signs(TaskConfig config, std::size_t signs);

// Repeated random tokens, on which head scores are defined for every task, at periods that fit; empty when
// none does.
Generator scored_repetitions(const TaskConfig& config, std::size_t signs = 0);

// Whether any length is left to test on.
bool any_left(const std::vector<Range>& held_out);

// Throws Error, with the hint, when no length is left.
void check_held_out(const TaskConfig& config, const std::vector<Range>& held_out, const SettingText& hint);

// "segments of 16 to 32 tokens"
std::string lengths_of(const TaskConfig& config);

// `length` random tokens of 0 … d_vocab-1, all different when the config says so.
std::vector<std::int32_t> random_tokens(std::size_t length, std::size_t d_vocab, bool distinct, Rng& rng);

}  // namespace headlight::tasks
