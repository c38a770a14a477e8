// What part 6 of exercise 11 trains and measures.
#pragma once

#include "copies.h"

namespace headlight {

// One layer with smeared keys, trained for 300 steps on sequences of which each has the period 8 or the other
// one: its accuracy on the sequences with gaps of section 6. The same period gives the same number.
inline double accuracy_with_gaps(std::size_t other_period) {
  tasks::Task task = lesson::repeats(lesson::kTrained);
  task.training = [other_period, make = task.with_segment](Rng& rng) {
    return make(rng.below(2) == 0 ? 8 : other_period, rng);
  };
  Rng rng(1);
  nn::Transformer model(lesson::config_of({.name = "", .smeared = true}), rng);
  ThreadPool pool(1);
  train::Trainer trainer =
      train::task_trainer(model, task, {.steps = 300, .batch = 16, .learning_rate = 1e-2, .seed = 1}, pool);
  for (int step = 0; step < 300; ++step) trainer.step();
  return lesson::measure(model, lesson::fresh_gaps()).accuracy;
}

}  // namespace headlight
