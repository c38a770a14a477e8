// Trainer: distributes shards of the batch over threads, with the same bits for any number of threads.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "headlight/autograd/tensor.h"
#include "headlight/core/check.h"
#include "headlight/core/rng.h"
#include "headlight/core/thread_pool.h"
#include "headlight/optim/optimizer.h"
#include "headlight/train/average.h"
#include "headlight/train/config.h"
#include "headlight/train/exchange.h"

namespace headlight::train {

struct StepReport {
  std::int64_t step = 0;     // counts from 1
  double loss = 0;           // mean loss over the batch's targets, in nats, before the step
  double gradient_norm = 0;  // before clipping
  double learning_rate = 0;
};

// The time of the phases of all steps, in seconds. The first three are sums over all threads; divide them by
// the number of threads to compare them with the others.
struct PhaseSeconds {
  double data = 0, forward = 0, backward = 0;  // drawing sequences; the model and its loss; its gradients
  double reduce = 0;                           // adding up the shards' gradients
  double optimizer = 0;                        // norm, clipping and the step
};

// The examples that one shard of a batch reads.
struct Examples {
  std::uint64_t first = 0;  // counted from 0 over all steps: examples first … first+count-1
  std::size_t count = 0;
  Rng rng;  // of this shard of this step alone
};

// The sum of the losses over some targets, a scalar, and how many targets there are. Not their mean, which
// would make the gradient smaller by the number of targets: it is `mean * count`, or Reduction::sum.
struct SummedLoss {
  Tensor sum;
  std::size_t targets = 0;
  double seconds_of_data = 0;  // which drawing the examples took, if that was measured
};

// What a trainer differentiates: the loss on some examples. Several threads call it at once, each for a shard
// of its own. (task_loss.h has the losses of tasks.)
struct Loss {
  std::function<SummedLoss(const Examples& examples)> on;
  std::size_t positions = 1;  // of an example, where it may have targets

  template <std::invocable<const Examples&> F>
  Loss(F function, std::size_t positions_of_example = 1)
      : on(std::move(function)), positions(positions_of_example) {}
};

// The error of a step whose loss or gradient is not finite.
class Diverged : public Error {
 public:
  using Error::Error;
};

// A step divides a batch into a fixed number of shards, and the pool's threads draw and differentiate whole
// shards. A fixed tree over the shards adds up the gradients. So the number of threads, or of processes of an
// Exchange, changes the time but no bit.
//
// With TrainConfig::average the parameters hold the moving average of the weights between steps, and the
// weights that are trained during a step: see average.h.
class Trainer {
 public:
  // On any data, such as rows of arrays, and any module:
  //   Trainer trainer(nn::parameters(model), [&](const Examples& e) {
  //     const Array x = rows(data, order.batch(e.first, e.count));
  //     …
  //     return SummedLoss{sum(squares), e.count};
  //   }, config, pool);
  // Pool, exchange and everything that the loss refers to must outlive the trainer. Throws Error for an
  // invalid config. The first step throws Error if the loss reads a parameter without a name that is not
  // among `parameters`, because a module's visit() that forgets one would leave it untrained.
  Trainer(std::vector<Tensor> parameters, Loss loss, const TrainConfig& config, ThreadPool& pool,
          Exchange& exchange = alone());

  // gradients(), reduce() and apply(). Throws Diverged, which names the step, when the loss or a gradient is
  // not finite; the parameters are then unchanged.
  StepReport step();

  // The three parts of a step: compute the gradients of this process's shards, and add them up; add those of
  // the other processes; let the optimizer change the parameters.
  void gradients();
  void reduce();
  StepReport apply();

  // Between gradients() and reduce(): what this process's shards come to, as far up the tree as they can be
  // added; nothing if it has them all.
  const std::vector<ShardSum>& sums() const { return shared_; }

  std::int64_t steps_done() const { return steps_done_; }

  // What a resumed run needs besides the parameters. After set_state the trainer takes the same steps as the
  // trainer that the state is from. With an average the state also has the trained weights, as "trained".
  optim::OptimizerState state() const;
  void set_state(std::int64_t steps_done, optim::OptimizerState optimizer);

  optim::Optimizer& optimizer() { return *optimizer_; }

  // Of all steps so far.
  const PhaseSeconds& phases() const { return phases_; }

  static Exchange& alone();

 private:
  void differentiate(ShardSum& shard, PhaseSeconds& phases) const;
  void add_up_own();
  void add_up(std::vector<ShardSum>& sums);
  std::size_t positions() const { return config_.batch * loss_.positions; }

  std::vector<Tensor> parameters_;
  Loss loss_;
  TrainConfig config_;
  ThreadPool& pool_;
  Exchange& exchange_;
  std::unique_ptr<optim::Optimizer> optimizer_;
  MovingAverage average_;

  std::vector<ShardSum> shards_;  // this process's
  std::vector<ShardSum> shared_;  // those of all processes, where there are more
  ShardSum* total_ = nullptr;     // between reduce() and apply()
  std::int64_t steps_done_ = 0;
  PhaseSeconds phases_;
  std::vector<PhaseSeconds> shard_phases_;  // of one step
};

}  // namespace headlight::train
