// What exercise 12 trains, and what it changes.
#pragma once

#include <vector>

#include "headlight/nn/transformer_config.h"
#include "headlight/tasks/batch.h"
#include "headlight/tasks/task.h"
#include "headlight/train/config.h"

namespace headlight {

enum class Change {
  no_positions,  // no position information anywhere
  one_head,      // one head in a layer, as wide as all together were
  repeats        // tokens may occur twice in a segment
};

enum class Outcome {
  no_head,     // no head has an induction score of 0.5
  some_wrong,  // there is one, and fewer than 90 % of the predictable tokens are right
  most_right   // there is one, and 90 % or more are right
};

struct Setup {
  nn::TransformerConfig model;
  tasks::TaskConfig task;
  train::TrainConfig training;
  std::int64_t every;  // steps from one measurement to the next
  std::size_t tested;  // sequences that are measured on
};

struct Curve {
  std::vector<double> steps, scores;
  double right;  // the share of predictable tokens that are right at the end, 0 … 1
};

// So many sequences with segments two tokens longer than the longest of the training.
inline tasks::Batch longer_sequences(const tasks::Task& task, std::size_t count, std::size_t first = 0) {
  const tasks::Generator longer = [&](Rng& rng) {
    return task.with_segment(task.config.max_segment + 2, rng);
  };
  return tasks::draw_batch(task, longer, count, Rng(8), first);
}

}  // namespace headlight
