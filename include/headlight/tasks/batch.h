// Batch: sequences of a task, stacked for a model.
#pragma once

#include <cstdint>
#include <optional>

#include "headlight/core/array.h"
#include "headlight/tasks/task.h"

namespace headlight::tasks {

struct Batch {
  IntArray tokens, targets;                        // (B,n)
  BoolArray predictable;                           // (B,n); false where there is no target
  IntArray source;                                 // (B,m), or (0) without an encoder
  IntArray answers = IntArray::from_shape({0});    // (B,n), or (0): where each target is copied from
  std::optional<std::uint64_t> dropout_seed = {};  // set while training, for models with dropout
};

// Sequences first … first+count-1 of a stream. Sequence i is drawn from rng.stream("sequence", i), so it does
// not depend on how the stream is divided into batches. Throws Error for a sequence that does not fit the
// task: tokens or targets outside the vocabulary, parts of different lengths, more tokens than the context
// holds.
Batch draw_batch(const Task& task, const Generator& generator, std::size_t count, const Rng& rng,
                 std::uint64_t first = 0);

// The sequences at the places first … first+count-1 of training: of task.training_at, or else of
// task.training.
Batch draw_training_batch(const Task& task, std::size_t count, const Rng& rng, std::uint64_t first);

// Sequence `number` of a stream.
Sequence draw_sequence(const Task& task, const Generator& generator, const Rng& rng, std::uint64_t number);

// Throws Error for a batch that no task could draw: parts of different shapes, tokens or targets outside the
// vocabulary, answers at positions that do not exist.
void check_batch(const Batch& batch, std::size_t d_vocab);

// Rows first … first+count-1 of a batch. Throws Error for rows that it lacks, or parts of different shapes.
Batch batch_rows(const Batch& batch, std::size_t first, std::size_t count);

}  // namespace headlight::tasks
