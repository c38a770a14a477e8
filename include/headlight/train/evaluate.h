// Loss and accuracy of a model on a batch.
#pragma once

#include <optional>

#include "headlight/core/thread_pool.h"
#include "headlight/nn/transformer.h"
#include "headlight/tasks/batch.h"

namespace headlight::train {

// Losses in nats; accuracy is of the most likely token. Positions without a target are left out. A mean over
// no positions is absent.
struct Evaluation {
  double loss = 0;  // mean over all targets
  std::optional<double> accuracy_predictable, loss_predictable, loss_unpredictable;
};

// The metrics that may be absent, by the keys that files and charts use.
struct EvaluationNumber {
  const char* key;
  std::optional<double> Evaluation::*value;
};
inline constexpr EvaluationNumber kEvaluationNumbers[] = {
    {"accuracy_predictable", &Evaluation::accuracy_predictable},
    {"loss_predictable", &Evaluation::loss_predictable},
    {"loss_unpredictable", &Evaluation::loss_unpredictable}};

// Throws Error for a batch without targets, and as tasks::check_batch() does.
Evaluation evaluate(const nn::Transformer& model, const tasks::Batch& batch, ThreadPool& pool);

// The same in one pass over all sequences, on the calling thread: the hooks see activations (B,…) of the
// whole batch.
Evaluation evaluate(const nn::Transformer& model, const tasks::Batch& batch, const nn::Hooks& hooks);

// Of logits (B,n,d_vocab) that were computed for the batch.
Evaluation evaluate(const Array& logits, const tasks::Batch& batch);

}  // namespace headlight::train
