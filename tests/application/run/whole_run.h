// A config, made into all that a training run needs.
#pragma once

#include <memory>
#include <vector>

#include "headlight/run/config.h"
#include "headlight/tasks/batch.h"
#include "headlight/train/task_loss.h"

namespace headlight::run {

struct WholeRun {
  explicit WholeRun(const RunConfig& config, int threads = 1)
      : task(make_task(config)),
        model(make_model(config)),
        pool(threads),
        trainer(train::task_trainer(*model, task, config.train, pool)) {}

  train::StepReport step() { return trainer.step(); }
  void steps(int count) {
    while (count-- > 0) trainer.step();
  }

  tasks::Task task;
  std::unique_ptr<nn::Transformer> model;
  ThreadPool pool;
  train::Trainer trainer;
};

// All numbers of a model, parameter by parameter.
inline Array flat_weights(const nn::Transformer& model) {
  std::vector<Real> numbers;
  for (const Tensor& p : nn::parameters(model))
    numbers.insert(numbers.end(), p.array().begin(), p.array().end());
  Array flat = empty_array({numbers.size()});
  std::copy(numbers.begin(), numbers.end(), flat.begin());
  return flat;
}

// The sequences of training: `count` from number `first`.
inline tasks::Batch training_batch(const RunConfig& config, std::size_t count, std::uint64_t first = 0) {
  const tasks::Task task = make_task(config);
  return tasks::draw_batch(task, task.training, count, Rng(config.train.seed).stream("data"), first);
}

}  // namespace headlight::run
