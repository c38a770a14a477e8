// Trainer: shards of the batch over threads, the same bits for any number of them.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "headlight/core/thread_pool.h"
#include "headlight/nn/transformer.h"
#include "headlight/optim/optimizer.h"
#include "headlight/optim/schedule.h"
#include "headlight/tasks/task.h"
#include "headlight/train/config.h"

namespace headlight::train {

struct StepReport {
  std::int64_t step = 0;     // counts from 1
  double loss = 0;           // mean next-token loss of the batch, in nats, before the step
  double gradient_norm = 0;  // before clipping
  double learning_rate = 0;
};

// Where the time of the steps went, in seconds. The first three add up what all threads spent; divide by the
// number of threads to compare them with the others.
struct PhaseSeconds {
  double data = 0, forward = 0, backward = 0;  // drawing sequences; the model and its loss; its gradients
  double reduce = 0;                           // adding up the shards' gradients
  double optimizer = 0;                        // norm, clipping and the step
};

// Each step cuts a batch into a fixed number of shards, and the pool's threads draw and differentiate whole
// shards. The shards' gradients are added in the order of the shards: the
// number of threads changes the time and no bit.
class Trainer {
 public:
  // Model and task must outlive the trainer. Throws Error for a config that cannot be.
  Trainer(nn::Transformer& model, const tasks::Task& task, const TrainConfig& config, ThreadPool& pool);

  // Throws Error, naming the step, when the loss or a gradient is not finite; the parameters are then still
  // those before the step.
  StepReport step();

  std::int64_t steps_done() const { return steps_done_; }

  // Of all steps so far.
  const PhaseSeconds& phases() const { return phases_; }

 private:
  void differentiate_shard(std::size_t shard);
  void add_up_shards();

  nn::Transformer& model_;
  const tasks::Task& task_;
  TrainConfig config_;
  ThreadPool& pool_;
  Rng data_;
  optim::Schedule schedule_;
  std::vector<Tensor> parameters_;
  std::unique_ptr<optim::Optimizer> optimizer_;

  std::vector<Array> shard_gradients_;  // (numbers of all parameters), one for each shard
  std::vector<double> shard_losses_;    // each shard's part of the batch's mean loss
  std::vector<const Real*> gradients_;  // of each parameter, in the first shard's array
  std::int64_t steps_done_ = 0;
  PhaseSeconds phases_;
  std::vector<PhaseSeconds> shard_phases_;  // of one step
};

// How well a model does on a batch. Losses in nats; accuracy is of the most likely token.
struct Evaluation {
  double accuracy_predictable = 0;
  double loss = 0;  // mean over all positions
  double loss_predictable = 0;
  double loss_unpredictable = 0;  // 0 when there are no such positions
};
Evaluation evaluate(const nn::Transformer& model, const tasks::Batch& batch, ThreadPool& pool);

}  // namespace headlight::train
