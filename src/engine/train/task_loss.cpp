#include "headlight/train/task_loss.h"

#include <algorithm>
#include <utility>

#include "headlight/ops/softmax.h"
#include "train/stopwatch.h"

namespace headlight::train {
namespace {

// Embeddings and relative biases, whose numbers are looked up one by one, and the unembedding.
std::vector<Tensor> tables_of(const nn::Transformer& model) {
  std::vector<Tensor> tables;
  for (const auto& [name, parameter] : nn::named_parameters(model))
    if (name.starts_with("embed.") || name.starts_with("pos_embed.") || name.starts_with("unembed.") ||
        name.ends_with(".rel_bias"))
      tables.push_back(parameter);
  return tables;
}

void check_fits(const nn::TransformerConfig& model, const tasks::Task& task) {
  check(model.d_vocab == task.config.d_vocab && model.n_ctx >= task.config.n_ctx,
        "the model's vocabulary and context ({}, {}) do not fit the task's ({}, {}).", model.d_vocab,
        model.n_ctx, task.config.d_vocab, task.config.n_ctx);
  check(model.n_source >= task.n_source,
        "the task '{}' has sources of up to {} tokens, but the model reads up to {}.", task.config.name,
        task.n_source, model.n_source);
}

}  // namespace

BatchLoss token_loss(const nn::Transformer& model, double label_smoothing) {
  return [&model, label_smoothing](const tasks::Batch& batch) {
    return cross_entropy(
        model(batch.tokens, {}, {.source = batch.source, .dropout_seed = batch.dropout_seed}), batch.targets,
        {.ignore_index = tasks::kNoTarget, .reduction = Reduction::sum, .label_smoothing = label_smoothing});
  };
}

Loss task_loss(const tasks::Task& task, BatchLoss loss, std::uint64_t seed) {
  check(static_cast<bool>(loss), "[task_loss] the loss is an empty function.");
  tasks::check_task(task);
  const auto on_examples = [loss = std::move(loss), &task, seed,
                            data = Rng(seed).stream("data")](const Examples& examples) {
    Stopwatch watch;
    tasks::Batch batch = tasks::draw_training_batch(task, examples.count, data, examples.first);
    batch.dropout_seed = Rng(seed).stream("dropout", examples.first).next();
    const double seconds = watch.lap();
    const auto targets = std::count_if(batch.targets.begin(), batch.targets.end(),
                                       [](auto t) { return t != tasks::kNoTarget; });
    return SummedLoss{loss(batch), static_cast<std::size_t>(targets), seconds};
  };
  return {on_examples, task.config.n_ctx};
}

Trainer task_trainer(const nn::Transformer& model, const tasks::Task& task, const TrainConfig& config,
                     ThreadPool& pool, Exchange& exchange) {
  check_fits(model.config(), task);
  Trainer trainer(nn::parameters(model),
                  task_loss(task, token_loss(model, config.label_smoothing), config.seed), config, pool,
                  exchange);
  trainer.optimizer().set_group(tables_of(model), {.matrix = false});
  return trainer;
}

}  // namespace headlight::train
