#include "headlight/train/trainer.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "headlight/autograd/audit.h"
#include "headlight/autograd/backward.h"
#include "headlight/ops/arithmetic.h"
#include "headlight/optim/clip.h"
#include "train/lockstep.h"
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
          "the loss reads {}, which requires a gradient and is not among the parameters that are "
          "trained. Hint: does visit() of its module name it? One that shall stay as it is enters "
          "the loss as x.detach().",
          describe(other));
}

// A loss of the user's own gets whole sequences or examples.
const TrainConfig& undivided(const TrainConfig& config) {
  check_setting(
      config.shards <= config.batch,
      "a batch of {} is too small for {} shards: only the trainer of a Transformer divides sequences. "
      "Hint: {}.",
      config.batch, config.shards, setting_key("train.shards", config.batch));
  return config;
}

constexpr const char* kTrained = "trained";  // the trained weights among the optimizer's arrays

}  // namespace

Exchange& Trainer::alone() {
  static Exchange none;
  return none;
}

Trainer::Trainer(nn::Transformer& model, const tasks::Task& task, const TrainConfig& config, ThreadPool& pool,
                 Exchange& exchange)
    : Trainer(nn::parameters(model),
              on_task(token_loss_of_parts(model, config.label_smoothing), task, config), task.config.n_ctx,
              config, pool, exchange) {
  check(model.config().d_vocab == task.config.d_vocab && model.config().n_ctx >= task.config.n_ctx,
        "the model's vocabulary and context ({}, {}) do not fit the task's ({}, {}).", model.config().d_vocab,
        model.config().n_ctx, task.config.d_vocab, task.config.n_ctx);
  check(model.config().n_source >= task.n_source,
        "the task '{}' has sources of up to {} tokens, but the model reads up to {}.", task.config.name,
        task.n_source, model.config().n_source);
  check_parts(config, model.config());
  optimizer_->set_group(tables_of(model), {.matrix = false});
}

Trainer::Trainer(std::vector<Tensor> parameters, BatchLoss loss, const tasks::Task& task,
                 const TrainConfig& config, ThreadPool& pool, Exchange& exchange)
    : Trainer(std::move(parameters), on_task(of_whole_sequences(std::move(loss)), task, config),
              task.config.n_ctx, undivided(config), pool, exchange) {}

Trainer::Trainer(std::vector<Tensor> parameters, ExamplesLoss loss, const TrainConfig& config,
                 ThreadPool& pool, Exchange& exchange)
    : Trainer(std::move(parameters), on_examples(std::move(loss)), 1, undivided(config), pool, exchange) {}

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
  if (const std::size_t parts = sequence_parts(config); parts > 1)
    lockstep_ = std::make_unique<Lockstep>(exchange_, config.shards, parts, pool.threads());
}

Trainer::~Trainer() = default;

void Trainer::differentiate(ShardSum& shard, const nn::SequencePart* part, PhaseSeconds& phases) const {
  Stopwatch watch;
  const auto waited = [&] { return part != nullptr ? lockstep_->waited(shard.first) : 0; };
  const double before = waited();
  const std::size_t parts = sequence_parts(config_), rows = config_.batch * parts / config_.shards;
  const auto first = static_cast<std::uint64_t>(steps_done_) * config_.batch + shard.first / parts * rows;
  const auto [sum, targets] =
      loss_({first, rows, Rng(config_.seed).stream("examples", first)}, part, phases.data);

  // A mean over the batch, as if every position had a target; reduce() corrects for missing targets.
  const Tensor loss = sum * (1.0 / static_cast<double>(positions()));
  shard.last = shard.first + 1;
  shard.loss = static_cast<double>(loss.item());
  shard.targets = targets;
  if (first == 0) check_listed(loss, parameters_);
  const double midway = waited();
  phases.forward = watch.lap() - phases.data - (midway - before);

  Real* out = shard.gradient.data();
  for (const Tensor& g : grad(loss, parameters_)) out = std::copy_n(g.array().data(), g.size(), out);
  phases.backward = watch.lap() - (waited() - midway);
}

// One sequence after the other.
void Trainer::differentiate_parts() {
  const std::size_t parts = sequence_parts(config_);
  const std::size_t begin = shards_.empty() ? 0 : shards_.front().first, end = begin + shards_.size();
  for (std::size_t first = begin, last; first < end; first = last) {
    last = std::min(end, first / parts * parts + parts);
    lockstep_->run({first, last}, [&](std::size_t shard, const nn::SequencePart& part) {
      differentiate(shards_[shard - begin], &part, shard_phases_[shard - begin]);
    });
  }
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
    if (lockstep_)
      differentiate_parts();
    else
      pool_.run(shards_.size(), [&](std::size_t i) { differentiate(shards_[i], nullptr, shard_phases_[i]); });
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
