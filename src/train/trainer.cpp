#include "headlight/train/trainer.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "headlight/autograd/audit.h"
#include "headlight/autograd/backward.h"
#include "headlight/ops/arithmetic.h"
#include "headlight/ops/softmax.h"
#include "headlight/optim/clip.h"

namespace headlight::train {
namespace {

// Numbers added up by one task. Fixed, so that no sum depends on the number of threads.
constexpr std::size_t kChunk = 16384;

// Seconds since the construction, or since the last lap.
class Stopwatch {
 public:
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    return std::chrono::duration<double>(now - std::exchange(last_, now)).count();
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

std::size_t size_of_all(const std::vector<Tensor>& parameters) {
  std::size_t numbers = 0;
  for (const Tensor& p : parameters) numbers += p.size();
  return numbers;
}

// Embeddings and relative biases, whose numbers are looked up one by one, and the unembedding.
std::vector<Tensor> tables_of(const nn::Transformer& model) {
  std::vector<Tensor> tables;
  for (const auto& [name, parameter] : nn::named_parameters(model))
    if (name.starts_with("embed.") || name.starts_with("pos_embed.") || name.starts_with("unembed.") ||
        name.ends_with(".rel_bias"))
      tables.push_back(parameter);
  return tables;
}

// A module's parameters have names after name_parameters(). So one without a name was forgotten, and one with
// a name may be left out on purpose.
void check_listed(const Tensor& loss, const std::vector<Tensor>& parameters) {
  for (const Tensor& other : parameters_besides(loss, parameters))
    check(!other.name().empty(),
          "the loss reads {}, which requires a gradient and is not among the parameters that are trained. "
          "Hint: "
          "does visit() of its module name it? One that shall stay as it is enters the loss as x.detach().",
          describe(other));
}

constexpr const char* kTrained = "trained";  // the trained weights among the optimizer's arrays

}  // namespace

BatchLoss token_loss(const nn::Transformer& model, double label_smoothing) {
  return [&model, label_smoothing](const tasks::Batch& batch) {
    return cross_entropy(
        model(batch.tokens, {}, {.source = batch.source, .dropout_seed = batch.dropout_seed}), batch.targets,
        {.ignore_index = tasks::kNoTarget, .reduction = Reduction::sum, .label_smoothing = label_smoothing});
  };
}

Exchange& Trainer::alone() {
  static Exchange none;
  return none;
}

Trainer::Trainer(nn::Transformer& model, const tasks::Task& task, const TrainConfig& config, ThreadPool& pool,
                 Exchange& exchange)
    : Trainer(nn::parameters(model), token_loss(model, config.label_smoothing), task, config, pool,
              exchange) {
  check(model.config().d_vocab == task.config.d_vocab && model.config().n_ctx >= task.config.n_ctx,
        "the model's vocabulary and context ({}, {}) do not fit the task's ({}, {}).", model.config().d_vocab,
        model.config().n_ctx, task.config.d_vocab, task.config.n_ctx);
  check(model.config().n_source >= task.n_source,
        "the task '{}' has sources of up to {} tokens, but the model reads up to {}.", task.config.name,
        task.n_source, model.config().n_source);
  optimizer_->set_group(tables_of(model), {.matrix = false});
}

Trainer::TimedLoss Trainer::on_examples(ExamplesLoss loss) {
  check(static_cast<bool>(loss), "[trainer] the loss is an empty function.");
  return [loss = std::move(loss)](const Examples& examples, double&) { return loss(examples); };
}

Trainer::TimedLoss Trainer::on_task(BatchLoss loss, const tasks::Task& task, const TrainConfig& config) {
  check(static_cast<bool>(loss), "[trainer] the loss is an empty function.");
  tasks::check_task(task);
  return [loss = std::move(loss), &task, data = Rng(config.seed).stream("data"), seed = config.seed](
             const Examples& examples, double& seconds_of_data) {
    Stopwatch watch;
    tasks::Batch batch = tasks::draw_training_batch(task, examples.count, data, examples.first);
    batch.dropout_seed = Rng(seed).stream("dropout", examples.first).next();
    seconds_of_data = watch.lap();
    const auto targets = std::count_if(batch.targets.begin(), batch.targets.end(),
                                       [](auto t) { return t != tasks::kNoTarget; });
    return SummedLoss{loss(batch), static_cast<std::size_t>(targets)};
  };
}

Trainer::Trainer(std::vector<Tensor> parameters, BatchLoss loss, const tasks::Task& task,
                 const TrainConfig& config, ThreadPool& pool, Exchange& exchange)
    : Trainer(std::move(parameters), on_task(std::move(loss), task, config), task.config.n_ctx, config, pool,
              exchange) {}

Trainer::Trainer(std::vector<Tensor> parameters, ExamplesLoss loss, const TrainConfig& config,
                 ThreadPool& pool, Exchange& exchange)
    : Trainer(std::move(parameters), on_examples(std::move(loss)), 1, config, pool, exchange) {}

Trainer::Trainer(std::vector<Tensor> parameters, TimedLoss loss, std::size_t positions_of_example,
                 const TrainConfig& config, ThreadPool& pool, Exchange& exchange)
    : parameters_(std::move(parameters)),
      loss_(std::move(loss)),
      positions_of_example_(positions_of_example),
      config_(config),
      pool_(pool),
      exchange_(exchange),
      average_(parameters_, config.average) {
  check_config(config);
  optimizer_ = optim::optimizers().find(config.optimizer)(parameters_, {.learning_rate = config.learning_rate,
                                                                        .beta1 = config.beta1,
                                                                        .beta2 = config.beta2,
                                                                        .weight_decay = config.weight_decay});
  const auto [first, last] = exchange_.mine(config.shards);
  check(first <= last && last <= config.shards, "an exchange gave this process shards {} … {} of {}.", first,
        last, config.shards);
  for (std::size_t s = first; s < last; ++s)
    shards_.push_back({s, s + 1, full_array({size_of_all(parameters_)}, 0), 0, 0});
  shard_phases_.resize(shards_.size());
}

void Trainer::differentiate(ShardSum& shard, PhaseSeconds& phases) const {
  Stopwatch watch;
  const std::size_t rows = config_.batch / config_.shards;
  const auto first = static_cast<std::uint64_t>(steps_done_) * config_.batch + shard.first * rows;
  const auto [sum, targets] = loss_({first, rows, Rng(config_.seed).stream("examples", first)}, phases.data);

  // A mean over the batch, as if every position had a target; reduce() corrects for missing targets.
  const Tensor loss = sum * (1.0 / static_cast<double>(positions()));
  shard.last = shard.first + 1;
  shard.loss = static_cast<double>(loss.item());
  shard.targets = targets;
  if (first == 0) check_listed(loss, parameters_);
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
  added_up_ = false;
  const MovingAverage::TrainingWeights weights(average_);
  try {
    pool_.run(shards_.size(), [&](std::size_t i) { differentiate(shards_[i], shard_phases_[i]); });
  } catch (const Error& e) {
    fail("training stopped at step {}: {}", steps_done_ + 1, e.what());
  }
  for (const PhaseSeconds& shard : shard_phases_) {
    phases_.data += shard.data;
    phases_.forward += shard.forward;
    phases_.backward += shard.backward;
  }
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
    for (const auto& [to, from] : additions) {
      Real* sum = sums[to].gradient.data();
      const Real* part = sums[from].gradient.data();
      for (std::size_t i = begin; i < end; ++i) sum[i] += part[i];
    }
  });
}

const std::vector<ShardSum>& Trainer::sums() {
  if (added_up_) return shared_;
  added_up_ = true;
  add_up(shards_);
  shared_.clear();
  for (std::size_t at = 0; shards_.size() < config_.shards && at < shards_.size();) {
    shared_.push_back(shards_[at]);  // no other sum of this process can take it
    at = shards_[at].last - shards_.front().first;
  }
  return shared_;
}

void Trainer::reduce() {
  Stopwatch watch;
  sums();
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
    Real* gradient = total_->gradient.data();
    for (std::size_t i = 0; i < total_->gradient.size(); ++i) gradient[i] *= static_cast<Real>(factor);
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
