#include "headlight/train/trainer.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "headlight/autograd/backward.h"
#include "headlight/core/check.h"
#include "headlight/ops/arithmetic.h"
#include "headlight/ops/softmax.h"

namespace headlight::train {
namespace {

// Numbers added up by one task. Fixed, so that no sum depends on the number of threads.
constexpr std::size_t kChunk = 16384;

std::unique_ptr<optim::Optimizer> make_optimizer(const std::vector<Tensor>& parameters,
                                                 const TrainConfig& c) {
  if (c.optimizer == "sgd")
    return std::make_unique<optim::SGD>(parameters, optim::SGDConfig{.learning_rate = c.learning_rate,
                                                                     .momentum = c.beta1,
                                                                     .weight_decay = c.weight_decay});
  const optim::AdamConfig adam{.learning_rate = c.learning_rate,
                               .beta1 = c.beta1,
                               .beta2 = c.beta2,
                               .eps = 1e-8,
                               .weight_decay = c.weight_decay};
  if (c.optimizer == "adam") return std::make_unique<optim::Adam>(parameters, adam);
  return std::make_unique<optim::AdamW>(parameters, adam);
}

// Seconds since it was made, or since the last lap.
class Stopwatch {
 public:
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    return std::chrono::duration<double>(now - std::exchange(last_, now)).count();
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace

Trainer::Trainer(nn::Transformer& model, const tasks::Task& task, const TrainConfig& config, ThreadPool& pool)
    : model_(model), task_(task), config_(config), pool_(pool), data_(Rng(config.seed).stream("data")) {
  check_config({task.config(), model.config(), config});
  schedule_ = {.peak = config.learning_rate,
               .warmup = config.warmup,
               .total = config.schedule == "cosine" ? config.steps : 0,
               .final_fraction = 0.1};
  parameters_ = nn::parameters(model);
  optimizer_ = make_optimizer(parameters_, config);
  std::size_t numbers = 0;
  for (const Tensor& p : parameters_) numbers += p.size();
  for (std::size_t s = 0; s < config.shards; ++s) shard_gradients_.push_back(full_array({numbers}, 0));
  shard_losses_.resize(config.shards);
  shard_phases_.resize(config.shards);
  const Real* at = shard_gradients_[0].data();
  for (const Tensor& p : parameters_) {
    gradients_.push_back(at);
    at += p.size();
  }
}

void Trainer::differentiate_shard(std::size_t shard) {
  PhaseSeconds& phases = shard_phases_[shard];
  Stopwatch watch;
  const std::size_t rows = config_.batch / config_.shards;
  const auto first = static_cast<std::uint64_t>(steps_done_) * config_.batch + shard * rows;
  const tasks::Batch batch = tasks::draw_batch(task_, rows, data_, first);
  phases.data = watch.lap();

  const std::size_t positions = batch.targets.size() * config_.shards;  // of the whole batch
  const Tensor loss = cross_entropy(model_(batch.tokens), batch.targets, {.reduction = Reduction::sum}) *
                      (1.0 / static_cast<double>(positions));
  shard_losses_[shard] = static_cast<double>(loss.item());
  phases.forward = watch.lap();

  Real* out = shard_gradients_[shard].data();
  for (const Tensor& g : grad(loss, parameters_)) out = std::copy_n(g.array().data(), g.size(), out);
  phases.backward = watch.lap();
}

void Trainer::add_up_shards() {
  Array& total = shard_gradients_[0];
  const std::size_t numbers = total.size();
  pool_.run((numbers + kChunk - 1) / kChunk, [&](std::size_t chunk) {
    const std::size_t begin = chunk * kChunk, end = std::min(numbers, begin + kChunk);
    Real* sum = total.data();
    for (std::size_t s = 1; s < config_.shards; ++s) {
      const Real* part = shard_gradients_[s].data();
      for (std::size_t i = begin; i < end; ++i) sum[i] += part[i];
    }
  });
}

StepReport Trainer::step() {
  const std::int64_t step = steps_done_ + 1;
  try {
    pool_.run(config_.shards, [&](std::size_t shard) { differentiate_shard(shard); });
  } catch (const Error& e) {
    fail("training stopped at step {}: {}", step, e.what());
  }
  for (const PhaseSeconds& shard : shard_phases_) {
    phases_.data += shard.data;
    phases_.forward += shard.forward;
    phases_.backward += shard.backward;
  }
  Stopwatch watch;
  add_up_shards();
  phases_.reduce += watch.lap();

  StepReport report{.step = step, .learning_rate = schedule_(step)};
  for (double loss : shard_losses_) report.loss += loss;
  Array& total = shard_gradients_[0];
  report.gradient_norm = config_.clip > 0
                             ? optim::clip_by_global_norm(total.data(), total.size(), config_.clip)
                             : optim::global_norm(total.data(), total.size());
  check(
      std::isfinite(report.loss) && std::isfinite(report.gradient_norm),
      "training stopped at step {}: the {} is not finite. Hint: a smaller learning rate than {}, or a longer "
      "warm-up; --anomaly (AnomalyScope) names the op.",
      step, std::isfinite(report.loss) ? "gradient" : "loss", config_.learning_rate);
  optimizer_->set_learning_rate(report.learning_rate);
  optimizer_->step(gradients_);
  phases_.optimizer += watch.lap();
  steps_done_ = step;
  return report;
}

}  // namespace headlight::train
