// The sequences of lesson 11, the models that learn to copy them, and what is measured of these.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "headlight/core/thread_pool.h"
#include "headlight/draw/chart.h"
#include "headlight/nn/transformer.h"
#include "headlight/tasks/task.h"
#include "headlight/train/evaluate.h"
#include "headlight/train/task_loss.h"
#include "progress.h"

namespace headlight::lesson {

inline constexpr std::size_t kTokens = 32;  // in a sequence, and in the vocabulary
using Periods = std::vector<std::size_t>;

// The whole numbers first … last.
inline Periods from_to(std::size_t first, std::size_t last) {
  Periods all;
  for (std::size_t period = first; period <= last; ++period) all.push_back(period);
  return all;
}

inline const Periods kOnly12 = {12}, kTrained = from_to(8, 16), kHeldOut = {17, 19, 21, 23};

// A segment of different tokens, over and over: A B C A B C A …
inline tasks::Task repeats(const Periods& trained) {
  return tasks::make_task({.name = "repeat",
                           .d_vocab = kTokens,
                           .n_ctx = kTokens,
                           .min_segment = trained.front(),
                           .max_segment = trained.back()});
}

// A segment of six different tokens, with 1 to 10 other tokens at random before each copy:
// x x A B C D E F x x x x x A B C D E F x …
inline tasks::Sequence with_gaps(Rng& rng) {
  constexpr std::size_t kSegment = 6;
  const std::vector<std::int32_t> shuffled = rng.distinct(kTokens, kTokens);
  std::vector<std::int32_t> tokens;
  std::vector<bool> predictable;  // the token after this one
  for (int copy = 0; tokens.size() <= kTokens; ++copy) {
    for (std::uint64_t gap = 1 + rng.below(10); gap > 0; --gap) {
      tokens.push_back(shuffled[kSegment + rng.below(kTokens - kSegment)]);
      predictable.push_back(false);
    }
    for (std::size_t i = 0; i < kSegment; ++i) {
      tokens.push_back(shuffled[i]);
      predictable.push_back(copy > 0 && i + 1 < kSegment);
    }
  }
  tokens.resize(kTokens + 1);
  predictable.resize(kTokens);
  return tasks::next_token_sequence(tokens, predictable);
}

inline tasks::Task gaps() {
  tasks::Task task = repeats(kTrained);
  task.training = with_gaps;
  return task;
}

// 64 fresh sequences with this period.
inline tasks::Batch fresh_repeats(std::size_t period) {
  const tasks::Task task = repeats(kTrained);
  return tasks::draw_batch(
      task, [&](Rng& rng) { return task.with_segment(period, rng); }, 64, Rng(period));
}

inline std::vector<tasks::Batch> fresh_repeats(const Periods& periods) {
  std::vector<tasks::Batch> batches;
  for (const std::size_t period : periods) batches.push_back(fresh_repeats(period));
  return batches;
}

inline std::vector<tasks::Batch> fresh_gaps() { return {tasks::draw_batch(gaps(), with_gaps, 400, Rng(7))}; }

// Means over batches: of the loss at all positions, and of accuracy and loss at the predictable ones.
struct Measured {
  double loss = 0, accuracy = 0, predictable_loss = 0;
};

inline Measured measure(const nn::Transformer& model, const std::vector<tasks::Batch>& batches) {
  static ThreadPool pool;
  Measured mean;
  const double part = 1 / static_cast<double>(batches.size());
  for (const tasks::Batch& batch : batches) {
    const train::Evaluation each = train::evaluate(model, batch, pool);
    mean.loss += part * each.loss;
    mean.accuracy += part * each.accuracy_predictable.value();
    mean.predictable_loss += part * each.loss_predictable.value();
  }
  return mean;
}

// The mean loss of the library's best predictor, which goes from token to token, on 64 sequences each.
inline double measured_best(const Periods& periods) {
  const tasks::Task task = repeats(periods);
  double sum = 0;
  for (const std::size_t period : periods)
    for (std::uint64_t i = 0; i < 64; ++i) {
      Rng rng(100 * period + i);
      for (const double loss : task.best_loss(task.with_segment(period, rng))) sum += loss;
    }
  return sum / static_cast<double>(64 * kTokens * periods.size());
}

struct Kind {
  std::string name;
  std::size_t layers = 1;
  bool smeared = false;  // each key takes a share of the key before it
  std::string positions = "rotary";
};

// Attention only, two heads in each layer.
inline nn::TransformerConfig config_of(const Kind& kind) {
  return {.n_layers = kind.layers,
          .d_model = 32,
          .n_heads = 2,
          .d_vocab = kTokens,
          .n_ctx = kTokens,
          .positions = kind.positions,
          .smeared_keys = kind.smeared};
}

// The number that a series has at this step.
inline double at(const draw::Series& series, double step) {
  const auto place = std::find(series.x.begin(), series.x.end(), step) - series.x.begin();
  return series.y.at(static_cast<std::size_t>(place));
}

// A model, and what was measured of it along training.
struct Trained {
  Kind kind;
  std::unique_ptr<nn::Transformer> model;
  draw::Series loss, accuracy, elsewhere;  // on what it is trained on; `elsewhere` at held-out periods
};

// The same kind, task and steps make the same model.
inline Trained trained(const Kind& kind, const tasks::Task& task, const std::vector<tasks::Batch>& fresh,
                       std::int64_t steps, std::int64_t every) {
  Rng rng(1);
  Trained t{kind,
            std::make_unique<nn::Transformer>(config_of(kind), rng),
            {kind.name, {}, {}},
            {kind.name, {}, {}},
            {kind.name, {}, {}}};
  ThreadPool pool;
  train::Trainer trainer = train::task_trainer(
      *t.model, task, {.steps = steps, .batch = 16, .learning_rate = 1e-2, .seed = 1}, pool);
  const std::vector<tasks::Batch> held_out = fresh_repeats(kHeldOut);
  Progress progress("training: " + kind.name, static_cast<std::size_t>(steps));
  for (std::int64_t step = 0;; ++step) {
    if (step % every == 0) {
      const Measured here = measure(*t.model, fresh);
      for (auto* series : {&t.loss, &t.accuracy, &t.elsewhere})
        series->x.push_back(static_cast<double>(step));
      t.loss.y.push_back(here.loss), t.accuracy.y.push_back(here.accuracy);
      t.elsewhere.y.push_back(measure(*t.model, held_out).accuracy);
    }
    if (step == steps) return t;
    trainer.step();
    progress.step();
  }
}

}  // namespace headlight::lesson
