// Trainer: shards of the batch over threads, the same bits for any number of them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "headlight/core/thread_pool.h"
#include "headlight/nn/transformer.h"
#include "headlight/optim/optimizer.h"
#include "headlight/optim/schedule.h"
#include "headlight/tasks/batch.h"
#include "headlight/train/config.h"
#include "headlight/train/exchange.h"

namespace headlight::inline HEADLIGHT_PRECISION::train {

struct StepReport {
  std::int64_t step = 0;     // counts from 1
  double loss = 0;           // mean loss over the batch's targets, in nats, before the step
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

// The sum of the losses over the targets of some sequences, a scalar.
using BatchLoss = std::function<Tensor(const tasks::Batch& batch)>;

// Cross-entropy of the token at each target, for a model that reads the batch's tokens.
BatchLoss token_loss(const nn::Transformer& model);

// A step cuts a batch into a fixed number of shards, and the pool's threads draw and differentiate whole
// shards. A fixed tree over the shards' numbers adds up the gradients: how they are divided among threads, or
// among the processes of an Exchange, changes the time and no bit.
class Trainer {
 public:
  // Task, pool and exchange must outlive the trainer, and whatever the loss refers to. Throws Error for a
  // config that cannot be.
  Trainer(std::vector<Tensor> parameters, BatchLoss loss, const tasks::Task& task, const TrainConfig& config,
          ThreadPool& pool, Exchange& exchange = alone());
  Trainer(nn::Transformer& model, const tasks::Task& task, const TrainConfig& config, ThreadPool& pool,
          Exchange& exchange = alone());

  // gradients(), reduce() and apply(). Throws Error, naming the step, when the loss or a gradient is not
  // finite; the parameters are then still those before the step.
  StepReport step();

  // The three parts of a step: each of this process's shards gets its gradient; the tree adds them up; the
  // optimizer moves the parameters.
  void gradients();
  void reduce();
  StepReport apply();

  std::int64_t steps_done() const { return steps_done_; }

  // What a run that goes on later must have beside the parameters. After set_state the same steps follow as
  // in the trainer that gave the state.
  optim::OptimizerState state() const { return optimizer_->state(); }
  void set_state(std::int64_t steps_done, optim::OptimizerState optimizer);

  optim::Optimizer& optimizer() { return *optimizer_; }

  // Of all steps so far.
  const PhaseSeconds& phases() const { return phases_; }

  static Exchange& alone();

 private:
  void differentiate(ShardSum& shard, PhaseSeconds& phases) const;
  void add_up(std::vector<ShardSum>& sums);
  std::size_t positions() const { return config_.batch * task_.config.n_ctx; }

  std::vector<Tensor> parameters_;
  BatchLoss loss_;
  const tasks::Task& task_;
  TrainConfig config_;
  ThreadPool& pool_;
  Exchange& exchange_;
  Rng data_;
  optim::Schedule schedule_;
  std::unique_ptr<optim::Optimizer> optimizer_;

  std::vector<ShardSum> shards_;  // this process's
  std::vector<ShardSum> shared_;  // those of all processes, where there are more
  ShardSum* total_ = nullptr;     // between reduce() and apply()
  std::int64_t steps_done_ = 0;
  PhaseSeconds phases_;
  std::vector<PhaseSeconds> shard_phases_;  // of one step
};

}  // namespace headlight::inline HEADLIGHT_PRECISION::train
