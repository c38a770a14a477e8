// What part 5 of exercise 12 trains and measures.
#pragma once

#include "runs.h"

namespace headlight {

// The step at which an induction head has formed, as in section 5, if each step of the lesson's first
// training has `batch` sequences instead of 32; 400 if none has by then. The same batch gives the same step.
inline double steps_to_form(std::size_t batch) {
  const lesson::Recipe recipe;
  const tasks::Task task = lesson::task_of(recipe);
  Rng drawing(recipe.seed);
  nn::Transformer model(lesson::model_of(recipe), drawing);
  std::size_t shards = 8;
  while (batch % shards > 0) --shards;
  ThreadPool pool(1);
  train::Trainer trainer = train::task_trainer(model, task,
                                               {.steps = 400,
                                                .batch = batch,
                                                .shards = shards,
                                                .learning_rate = 2e-2,
                                                .warmup = 50,
                                                .seed = recipe.seed},
                                               pool);
  const tasks::Batch test = tasks::draw_batch(task, task.held_out, 32, Rng(8));
  for (std::int64_t step = 0; step < 400; ++step) {
    if (step > 0) trainer.step();
    if (step % lesson::kEvery != 0) continue;
    if (lesson::best(interpret::score_heads(model, test), interpret::kInduction) >= interpret::kFoundScore)
      return static_cast<double>(step);
  }
  return 400;
}

}  // namespace headlight
