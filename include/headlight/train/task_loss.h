// Losses on the sequences of a task, and the trainer of a Transformer.
#pragma once

#include <cstdint>
#include <functional>

#include "headlight/nn/transformer.h"
#include "headlight/tasks/batch.h"
#include "headlight/train/trainer.h"

namespace headlight::train {

// The sum of the losses over the targets of some sequences, a scalar.
using BatchLoss = std::function<Tensor(const tasks::Batch& batch)>;

// Cross-entropy of the token at each target, for a model that reads the batch's tokens, with the label
// smoothing of CrossEntropyOptions. The model must outlive it.
BatchLoss token_loss(const nn::Transformer& model, double label_smoothing = 0);

// The loss of a trainer that draws its examples from the task. The seed, TrainConfig::seed, gives the
// sequences and their dropout. The task must outlive it. Throws Error for a task that is not complete.
Loss task_loss(const tasks::Task& task, BatchLoss loss, std::uint64_t seed);

// A trainer of token_loss() on the task. The optimizer does not treat embeddings, relative biases and the
// unembedding as matrices (optim/muon.h). All but the config must outlive it. Throws Error for a model whose
// vocabulary, context or source is too small for the task, and for an invalid config.
Trainer task_trainer(const nn::Transformer& model, const tasks::Task& task, const TrainConfig& config,
                     ThreadPool& pool, Exchange& exchange = Trainer::alone());

}  // namespace headlight::train
