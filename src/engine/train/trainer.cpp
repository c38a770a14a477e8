#include "headlight/train/trainer.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "headlight/autograd/audit.h"
#include "headlight/autograd/backward.h"
#include "headlight/core/flat_kernels.h"
#include "headlight/ops/arithmetic.h"
#include "headlight/optim/clip.h"
#include "headlight/system/file_error.h"
#include "train/stopwatch.h"

namespace headlight::train {
namespace {

// Numbers added up by one task. Fixed, so that no sum depends on the number of threads.
constexpr std::size_t kChunk = 16384;

std::size_t size_of_all(const std::vector<Tensor>& parameters) {
  std::size_t numbers = 0;
  for (const Tensor& p : parameters) numbers += p.size();
  return numbers;
}

// A module's parameters have names after name_parameters(). So one without a name was forgotten, and one with
// a name may be left out on purpose.
void check_listed(const Tensor& loss, const std::vector<Tensor>& parameters) {
  for (const Tensor& other : parameters_besides(loss, parameters))
    check(!other.name().empty(),
          "the loss reads {}, which requires a gradient and is not among the parameters that are "
          "trained. Hint: does visit() of its module name it? One that shall stay as it is enters "
          "the loss as x.detach().",
          describe(other));
}

constexpr const char* kTrained = "trained";  // the trained weights among the optimizer's arrays

}  // namespace

Exchange& Trainer::alone() {
  static Exchange none;
  return none;
}

Trainer::Trainer(std::vector<Tensor> parameters, Loss loss, const TrainConfig& config, ThreadPool& pool,
                 Exchange& exchange)
    : parameters_(std::move(parameters)),
      loss_(std::move(loss)),
      config_(config),
      pool_(pool),
      exchange_(exchange),
      average_(parameters_, config.average) {
  check(static_cast<bool>(loss_.on), "[trainer] the loss is an empty function.");
  check_config(config);
  optimizer_ = optim::optimizers().find(config.optimizer)(parameters_, {.learning_rate = config.learning_rate,
                                                                        .beta1 = config.beta1,
                                                                        .beta2 = config.beta2,
                                                                        .weight_decay = config.weight_decay});
  const auto [first, last] = exchange_.mine(config.shards);
  check(first < last && last <= config.shards, "an exchange gave this process shards {} … {} of {}.", first,
        last, config.shards);
  for (std::size_t s = first; s < last; ++s)
    shards_.push_back({s, s + 1, full_array({size_of_all(parameters_)}, 0), 0, 0});
  shard_phases_.resize(shards_.size());
}

void Trainer::differentiate(ShardSum& shard, PhaseSeconds& phases) const {
  Stopwatch watch;
  const std::size_t rows = config_.batch / config_.shards;
  const auto first = static_cast<std::uint64_t>(steps_done_) * config_.batch + shard.first * rows;
  const SummedLoss found = loss_.on({first, rows, Rng(config_.seed).stream("examples", first)});
  check(found.sum.defined() && found.sum.size() == 1,
        "expected the sum of a shard's losses as a scalar, got {}. Hint: sum() the losses.",
        found.sum.defined() ? describe(found.sum) : "an undefined Tensor");

  // A mean over the batch, as if every position had a target; reduce() corrects for missing targets.
  const Tensor loss = found.sum * (1.0 / static_cast<double>(positions()));
  shard.last = shard.first + 1;
  shard.loss = static_cast<double>(loss.item());
  shard.targets = found.targets;
  if (first == 0) check_listed(loss, parameters_);
  phases.data = found.seconds_of_data;
  phases.forward = watch.lap() - phases.data;

  Real* out = shard.gradient.data();
  for (const Tensor& g : grad(loss, parameters_)) out = std::copy_n(g.array().data(), g.size(), out);
  phases.backward = watch.lap();
}

void Trainer::gradients() {
  const std::size_t numbers = size_of_all(parameters_);
  check(numbers == shards_.front().gradient.size(),
        "training stopped at step {}: the parameters had {} numbers when the trainer was made and have {} "
        "now. Hint: was an array of another shape assigned to mutable_array()?",
        steps_done_ + 1, shards_.front().gradient.size(), numbers);
  check(optimizer_->steps_done() == steps_done_,
        "training stopped at step {}: the optimizer has done {} steps and the trainer {}. Hint: "
        "train::load(file, module, trainer) loads both.",
        steps_done_ + 1, optimizer_->steps_done(), steps_done_);
  const MovingAverage::TrainingWeights weights(average_);
  try {
    pool_.run(shards_.size(), [&](std::size_t i) { differentiate(shards_[i], shard_phases_[i]); });
  } catch (const FileError& e) {  // of a loss that reads its examples
    fail_file("training stopped at step {}: {}", steps_done_ + 1, e.what());
  } catch (const Error& e) {
    fail("training stopped at step {}: {}", steps_done_ + 1, e.what());
  }
  for (const PhaseSeconds& shard : shard_phases_) {
    phases_.data += shard.data;
    phases_.forward += shard.forward;
    phases_.backward += shard.backward;
  }
  add_up_own();
}

void Trainer::add_up_own() {
  Stopwatch watch;
  add_up(shards_);
  shared_.clear();
  for (std::size_t at = 0; shards_.size() < config_.shards && at < shards_.size();) {
    shared_.push_back(shards_[at]);  // no other sum of this process can take it
    at = shards_[at].last - shards_.front().first;
  }
  phases_.reduce += watch.lap();
}

void Trainer::add_up(std::vector<ShardSum>& sums) {
  const std::vector<Addition> additions = plan_additions(sums, config_.shards);
  for (const auto& [to, from] : additions) {
    sums[to].loss += sums[from].loss;
    sums[to].targets += sums[from].targets;
  }
  const std::size_t numbers = sums[0].gradient.size();
  pool_.run((numbers + kChunk - 1) / kChunk, [&](std::size_t chunk) {
    const std::size_t begin = chunk * kChunk, end = std::min(numbers, begin + kChunk);
    for (const auto& [to, from] : additions)
      kernels::add_into(sums[to].gradient.data() + begin, sums[from].gradient.data() + begin, end - begin);
  });
}

void Trainer::reduce() {
  Stopwatch watch;
  total_ = &shards_.front();
  if (shards_.size() < config_.shards) {
    exchange_.share(shared_);
    add_up(shared_);
    total_ = &shared_.front();
  }
  check(total_->first == 0 && total_->last == config_.shards,
        "training stopped at step {}: the exchange brought shards {} … {} of {}.", steps_done_ + 1,
        total_->first, total_->last, config_.shards);
  check(total_->targets > 0, "training stopped at step {}: the batch has no target.", steps_done_ + 1);
  if (total_->targets != positions()) {
    const double factor = static_cast<double>(positions()) / static_cast<double>(total_->targets);
    total_->loss *= factor;
    kernels::scale(total_->gradient.data(), total_->gradient.size(), static_cast<Real>(factor));
  }
  phases_.reduce += watch.lap();
}

StepReport Trainer::apply() {
  Stopwatch watch;
  check(total_ != nullptr, "[apply] there is no gradient. Hint: gradients() and reduce() come first.");
  ShardSum& total = *std::exchange(total_, nullptr);
  const std::int64_t step = steps_done_ + 1;
  StepReport report{.step = step, .loss = total.loss};
  report.learning_rate = learning_rate_at(config_, step);
  Real* gradient = total.gradient.data();
  report.gradient_norm = config_.clip > 0
                             ? optim::clip_by_global_norm(gradient, total.gradient.size(), config_.clip)
                             : optim::global_norm(gradient, total.gradient.size());
  if (!std::isfinite(report.loss) || !std::isfinite(report.gradient_norm))
    throw Diverged(fmt::format(
        "training stopped at step {}: the {} is not finite. Hint: a smaller learning rate than {}, or a "
        "longer warm-up; --anomaly (AnomalyScope) names the op.",
        step, std::isfinite(report.loss) ? "gradient" : "loss", config_.learning_rate));
  std::vector<const Real*> of_parameters;
  for (const Tensor& p : parameters_) {
    of_parameters.push_back(gradient);
    gradient += p.size();
  }
  optimizer_->set_learning_rate(report.learning_rate);
  {
    const MovingAverage::TrainingWeights weights(average_);
    optimizer_->step(of_parameters);
    average_.add(step);
  }
  phases_.optimizer += watch.lap();
  steps_done_ = step;
  exchange_.after_step(step, parameters_);
  return report;
}

StepReport Trainer::step() {
  gradients();
  reduce();
  return apply();
}

optim::OptimizerState Trainer::state() const {
  optim::OptimizerState state = optimizer_->state();
  if (!average_.trained().empty()) state.arrays[kTrained] = average_.trained();
  return state;
}

void Trainer::set_state(std::int64_t steps_done, optim::OptimizerState optimizer) {
  check(steps_done >= 0, "[set_state] a trainer cannot have done {} steps.", steps_done);
  std::vector<Array> trained;
  if (average_.wanted() && steps_done > 0) {
    check(optimizer.arrays.contains(kTrained),
          "[set_state] the state lacks '{}', the parameters beside their moving average.", kTrained);
    trained = std::move(optimizer.arrays.extract(kTrained).mapped());
  }
  optimizer_->set_state(std::move(optimizer));
  average_.set_trained(std::move(trained));
  steps_done_ = steps_done;
}

}  // namespace headlight::train
