#include "headlight/interpret/head_loss.h"

#include <algorithm>

#include "headlight/core/check.h"
#include "headlight/ops/arithmetic.h"
#include "headlight/ops/softmax.h"
#include "shards.h"

namespace headlight::interpret {
namespace {

constexpr std::size_t kRowsOfShard = 8;

std::size_t count_targets(const IntArray& targets) {
  return static_cast<std::size_t>(
      std::count_if(targets.begin(), targets.end(), [](auto t) { return t != tasks::kNoTarget; }));
}

IntArray target_rows(const IntArray& targets, std::size_t first, std::size_t rows) {
  const std::size_t n = targets.shape()[1];
  IntArray part = empty_int_array({rows, n});
  std::copy_n(targets.data() + first * n, rows * n, part.data());
  return part;
}

}  // namespace

const Registry<LossOver>& loss_kinds() {
  static const Registry<LossOver> all(
      "loss",
      {{"predictable", "the mean over targets that follow from the tokens so far", LossOver::predictable},
       {"targets", "the mean over all targets", LossOver::targets}});
  return all;
}

IntArray counted_targets(const tasks::Batch& batch, LossOver over) {
  check(batch.tokens.dimension() == 2 && batch.targets.shape() == batch.tokens.shape() &&
            batch.predictable.size() == batch.tokens.size(),
        "[head_loss] expected tokens (B,n) with as many targets and marks of what is predictable.");
  IntArray targets = batch.targets;
  if (over == LossOver::predictable)
    for (std::size_t i = 0; i < targets.size(); ++i)
      if (!batch.predictable.data()[i]) targets.data()[i] = tasks::kNoTarget;
  check(count_targets(targets) > 0, "[head_loss] the batch has no {}.{}",
        over == LossOver::predictable ? "predictable target" : "target",
        over == LossOver::predictable ? " Hint: LossOver::targets counts all targets." : "");
  return targets;
}

LossOver natural_loss(const tasks::Batch& batch) {
  const bool* predictable = batch.predictable.data();
  return std::any_of(predictable, predictable + batch.predictable.size(), [](bool yes) { return yes; })
             ? LossOver::predictable
             : LossOver::targets;
}

std::vector<Shard> shards_of_rows(const tasks::Batch& batch) {
  check(batch.tokens.dimension() == 2 && batch.tokens.shape()[0] >= 1,
        "[head_loss] expected tokens (B,n) of at least one sequence.");
  const std::size_t rows = batch.tokens.shape()[0];
  std::vector<Shard> shards;
  for (std::size_t first = 0; first < rows; first += kRowsOfShard) {
    const std::size_t count = std::min(kRowsOfShard, rows - first);
    shards.push_back({first, tasks::batch_rows(batch, first, count), {}, 0});
  }
  return shards;
}

std::vector<Shard> shards_of(const tasks::Batch& batch, LossOver over) {
  const IntArray targets = counted_targets(batch, over);
  std::vector<Shard> shards = shards_of_rows(batch);
  for (Shard& shard : shards) {
    shard.targets = target_rows(targets, shard.first, shard.batch.tokens.shape()[0]);
    shard.per_target = 1 / static_cast<double>(count_targets(targets));
  }
  return shards;
}

Tensor shard_loss(const nn::Transformer& model, const Shard& shard, const nn::Hooks& hooks) {
  const Tensor logits = model(shard.batch.tokens, hooks, {shard.batch.source});
  return cross_entropy(logits, shard.targets,
                       {.ignore_index = tasks::kNoTarget, .reduction = Reduction::sum}) *
         shard.per_target;
}

double head_loss(const nn::Transformer& model, const tasks::Batch& batch, ThreadPool& pool, LossOver over,
                 const nn::Hooks& hooks) {
  const std::vector<Shard> shards = shards_of(batch, over);
  std::vector<double> parts(shards.size());
  pool.run(shards.size(), [&](std::size_t i) {
    const NoGrad no_grad;
    parts[i] = static_cast<double>(shard_loss(model, shards[i], hooks).item());
  });
  double loss = 0;
  for (const double part : parts) loss += part;
  return loss;
}

void put_rows(const Array& part, std::size_t first, Array& all) {
  const std::size_t width = part.size() / part.shape()[0];
  std::copy_n(part.data(), part.size(), all.data() + first * width);
}

Array array_of_rows(const Array& part, std::size_t rows) {
  Shape shape(part.shape().begin(), part.shape().end());
  shape[0] = rows;
  return empty_array(shape);
}

double sum_of_squares(const Real* x, std::size_t count) { return dot(x, x, count); }

double dot(const Real* x, const Real* y, std::size_t count) {
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += static_cast<double>(x[i]) * static_cast<double>(y[i]);
  return sum;
}

}  // namespace headlight::interpret
