// A config, made into all that a training run needs.
#pragma once

#include <memory>
#include <vector>

#include "headlight/train/checkpoint.h"
#include "headlight/train/trainer.h"

namespace headlight::train {

struct WholeRun {
  explicit WholeRun(const RunConfig& config, int threads = 1)
      : task(tasks::make_task(config.task)),
        model(make_model(config)),
        pool(threads),
        trainer(*model, *task, config.train, pool) {}

  StepReport step() { return trainer.step(); }
  void steps(int count) {
    while (count-- > 0) trainer.step();
  }

  std::unique_ptr<tasks::Task> task;
  std::unique_ptr<nn::Transformer> model;
  ThreadPool pool;
  Trainer trainer;
};

// All numbers of a model, parameter by parameter.
inline Array flat_weights(nn::Transformer& model) {
  std::vector<Real> numbers;
  for (const Tensor& p : nn::parameters(model))
    numbers.insert(numbers.end(), p.array().begin(), p.array().end());
  Array flat = empty_array({numbers.size()});
  std::copy(numbers.begin(), numbers.end(), flat.begin());
  return flat;
}

// The sequences of training: `count` from number `first`.
inline tasks::Batch training_batch(const RunConfig& config, std::size_t count, std::uint64_t first = 0) {
  return tasks::draw_batch(*tasks::make_task(config.task), count, Rng(config.train.seed).stream("data"),
                           first);
}

}  // namespace headlight::train
