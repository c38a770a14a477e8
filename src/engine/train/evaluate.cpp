#include "headlight/train/evaluate.h"

#include <algorithm>

#include "headlight/autograd/record.h"
#include "headlight/core/check.h"
#include "headlight/core/row_kernels.h"

namespace headlight::train {
namespace {

// Sequences per task, fewer of long ones. The number of threads must not change it, because it sets the order
// of sums.
std::size_t rows_of_task(const tasks::Batch& batch) {
  constexpr std::size_t kRows = 8, kTokens = 8192;
  return std::clamp<std::size_t>(kTokens / std::max<std::size_t>(1, batch.tokens.shape()[1]), 1, kRows);
}

// Sums over positions.
struct Totals {
  double right = 0, loss_predictable = 0, loss_unpredictable = 0;
  std::size_t predictable = 0, unpredictable = 0;
};

Totals totals_of(const Array& logits, const tasks::Batch& batch) {
  const std::size_t vocab = logits.shape()[2];
  Totals t;
  for (std::size_t i = 0; i < batch.targets.size(); ++i) {
    if (batch.targets.data()[i] == tasks::kNoTarget) continue;
    const Real* row = logits.data() + i * vocab;
    const auto target = static_cast<std::size_t>(batch.targets.data()[i]);
    const auto loss =
        static_cast<double>(kernels::minus_log_softmax(kernels::softmax_sum_row(row, vocab), row[target]));
    if (batch.predictable.data()[i]) {
      t.right += kernels::argmax_row(row, vocab) == target ? 1 : 0;
      t.loss_predictable += loss;
      ++t.predictable;
    } else {
      t.loss_unpredictable += loss;
      ++t.unpredictable;
    }
  }
  return t;
}

Array logits_of(const nn::Transformer& model, const tasks::Batch& batch, const nn::Hooks& hooks = {}) {
  const NoGrad no_grad;
  return model(batch.tokens, hooks, {batch.source}).array();
}

Evaluation means_of(const Totals& sum) {
  const std::size_t targets = sum.predictable + sum.unpredictable;
  check(targets > 0, "[evaluate] the batch has no target.");
  Evaluation e;
  e.loss = (sum.loss_predictable + sum.loss_unpredictable) / static_cast<double>(targets);
  if (sum.predictable > 0) {
    const auto n = static_cast<double>(sum.predictable);
    e.accuracy_predictable = sum.right / n;
    e.loss_predictable = sum.loss_predictable / n;
  }
  if (sum.unpredictable > 0)
    e.loss_unpredictable = sum.loss_unpredictable / static_cast<double>(sum.unpredictable);
  return e;
}

}  // namespace

Evaluation evaluate(const nn::Transformer& model, const tasks::Batch& batch, ThreadPool& pool) {
  tasks::check_batch(batch, model.config().d_vocab);
  const std::size_t rows = batch.tokens.shape()[0], at_once = rows_of_task(batch);
  std::vector<Totals> parts((rows + at_once - 1) / at_once);
  pool.run(parts.size(), [&](std::size_t i) {
    const tasks::Batch part = tasks::batch_rows(batch, i * at_once, std::min(at_once, rows - i * at_once));
    parts[i] = totals_of(logits_of(model, part), part);
  });
  Totals sum;
  for (const Totals& t : parts) {
    sum.right += t.right;
    sum.loss_predictable += t.loss_predictable;
    sum.loss_unpredictable += t.loss_unpredictable;
    sum.predictable += t.predictable;
    sum.unpredictable += t.unpredictable;
  }
  return means_of(sum);
}

Evaluation evaluate(const Array& logits, const tasks::Batch& batch) {
  const Shape tokens(batch.tokens.shape().begin(), batch.tokens.shape().end());
  check(logits.dimension() == 3 && Shape(logits.shape().begin(), logits.shape().end() - 1) == tokens,
        "[evaluate] expected logits (B,n,d_vocab) for tokens {}, got shape {}.", tokens, logits.shape());
  tasks::check_batch(batch, logits.shape()[2]);
  return means_of(totals_of(logits, batch));
}

Evaluation evaluate(const nn::Transformer& model, const tasks::Batch& batch, const nn::Hooks& hooks) {
  return evaluate(logits_of(model, batch, hooks), batch);
}

}  // namespace headlight::train
