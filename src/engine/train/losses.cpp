// The losses that a trainer differentiates.
#include <algorithm>
#include <utility>

#include "headlight/ops/softmax.h"
#include "headlight/train/trainer.h"
#include "train/stopwatch.h"

namespace headlight::train {
namespace {

// Of (B,n), the columns of one part's positions.
IntArray columns_of(const IntArray& x, const nn::SequencePart& part) {
  const std::size_t width = x.shape()[1] / part.parts, first = part.block() * width;
  return xt::view(x, xt::all(), xt::range(first, first + width));
}

Tensor token_loss_of(const nn::Transformer& model, const tasks::Batch& batch, double label_smoothing,
                     const nn::SequencePart* part) {
  const nn::Given given{.source = batch.source, .dropout_seed = batch.dropout_seed, .part = part};
  return cross_entropy(
      model(batch.tokens, {}, given), batch.targets,
      {.ignore_index = tasks::kNoTarget, .reduction = Reduction::sum, .label_smoothing = label_smoothing});
}

}  // namespace

BatchLoss token_loss(const nn::Transformer& model, double label_smoothing) {
  return [&model, label_smoothing](const tasks::Batch& batch) {
    return token_loss_of(model, batch, label_smoothing, nullptr);
  };
}

Trainer::PartLoss Trainer::token_loss_of_parts(const nn::Transformer& model, double label_smoothing) {
  return [&model, label_smoothing](const tasks::Batch& batch, const nn::SequencePart* part) {
    return token_loss_of(model, batch, label_smoothing, part);
  };
}

Trainer::PartLoss Trainer::of_whole_sequences(BatchLoss loss) {
  check(static_cast<bool>(loss), "[trainer] the loss is an empty function.");
  return [loss = std::move(loss)](const tasks::Batch& batch, const nn::SequencePart*) { return loss(batch); };
}

Trainer::TimedLoss Trainer::on_examples(ExamplesLoss loss) {
  check(static_cast<bool>(loss), "[trainer] the loss is an empty function.");
  return [loss = std::move(loss)](const Examples& examples, const nn::SequencePart*, double&) {
    return loss(examples);
  };
}

Trainer::TimedLoss Trainer::on_task(PartLoss loss, const tasks::Task& task, const TrainConfig& config) {
  tasks::check_task(task);
  return [loss = std::move(loss), &task, data = Rng(config.seed).stream("data"), seed = config.seed](
             const Examples& examples, const nn::SequencePart* part, double& seconds_of_data) {
    Stopwatch watch;
    tasks::Batch batch = tasks::draw_training_batch(task, examples.count, data, examples.first);
    if (part != nullptr) {
      const std::size_t n = batch.tokens.shape()[1];
      check(n % part->parts == 0, "a sequence of {} tokens cannot be divided into {} equal parts.", n,
            part->parts);
      batch.tokens = columns_of(batch.tokens, *part), batch.targets = columns_of(batch.targets, *part);
    }
    batch.dropout_seed = Rng(seed).stream("dropout", examples.first).next();
    seconds_of_data = watch.lap();
    const auto targets = std::count_if(batch.targets.begin(), batch.targets.end(),
                                       [](auto t) { return t != tasks::kNoTarget; });
    return SummedLoss{loss(batch, part), static_cast<std::size_t>(targets)};
  };
}

}  // namespace headlight::train
