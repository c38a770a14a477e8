// How well a model does on a batch.
#pragma once

#include <optional>

#include "headlight/core/thread_pool.h"
#include "headlight/nn/transformer.h"
#include "headlight/tasks/batch.h"

namespace headlight::inline HEADLIGHT_PRECISION::train {

// Losses in nats; accuracy is of the most likely token. Positions without a target count nowhere, and what
// there are no positions for is not there.
struct Evaluation {
  double loss = 0;  // mean over all targets
  std::optional<double> accuracy_predictable, loss_predictable, loss_unpredictable;
};

// The numbers that may be missing, by the keys that files and charts use.
struct EvaluationNumber {
  const char* key;
  std::optional<double> Evaluation::*value;
};
inline constexpr EvaluationNumber kEvaluationNumbers[] = {
    {"accuracy_predictable", &Evaluation::accuracy_predictable},
    {"loss_predictable", &Evaluation::loss_predictable},
    {"loss_unpredictable", &Evaluation::loss_unpredictable}};

// Throws Error for a batch without targets.
Evaluation evaluate(const nn::Transformer& model, const tasks::Batch& batch, ThreadPool& pool);

}  // namespace headlight::inline HEADLIGHT_PRECISION::train
