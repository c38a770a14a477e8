// The two models of lesson 13: how they are trained, and the sequences on which they are examined.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "headlight/core/thread_pool.h"
#include "headlight/interpret/patching.h"
#include "headlight/tasks/batch.h"
#include "headlight/tasks/task.h"
#include "headlight/train/history.h"
#include "headlight/train/task_loss.h"

namespace headlight::lesson {

inline constexpr std::size_t kTokens = 32;  // in the vocabulary, and in a sequence

// How a model is trained; by itself the first one.
struct Recipe {
  std::string positions = "rotary";
  std::size_t n_heads = 4;
  std::uint64_t seed = 2;
  std::int64_t steps = 600;
  std::size_t shortest = 8;  // segment of the training sequences; the longest has 16 tokens
};

// A model, trained on segments of different tokens that repeat, A B C D A B C D …, and sequences of the same
// kind that it has not seen.
struct Trained {
  tasks::Task task;
  nn::Transformer model;
  tasks::Batch batch;   // 64 fresh sequences
  tasks::Batch others;  // the same with other tokens: what repeats in `batch` repeats at the same places here
  std::vector<train::Snapshot> snapshots;  // the weights every 20 steps of the training
};

inline Trained trained(const Recipe& r, ThreadPool& pool, const std::function<void()>& each_step) {
  Rng rng(r.seed);
  tasks::Task task =
      tasks::make_task({.name = "repeat", .d_vocab = kTokens, .n_ctx = kTokens, .min_segment = r.shortest});
  nn::Transformer model({.n_layers = 2,
                         .d_model = 32,
                         .n_heads = r.n_heads,
                         .d_vocab = kTokens,
                         .n_ctx = kTokens,
                         .positions = r.positions},
                        rng);
  train::Trainer trainer =
      train::task_trainer(model, task, {.steps = r.steps, .learning_rate = 0.01, .seed = r.seed}, pool);
  std::vector<train::Snapshot> snapshots{{0, train::weights_of(model)}};
  for (std::int64_t step = 1; step <= r.steps; ++step) {
    trainer.step();
    if (step % 20 == 0) snapshots.push_back({step, train::weights_of(model)});
    each_step();
  }
  tasks::Batch batch = tasks::draw_batch(task, task.training, 64, Rng(11));
  tasks::Batch others = interpret::renamed(batch, kTokens, {}, Rng(12));
  return {std::move(task), std::move(model), std::move(batch), std::move(others), std::move(snapshots)};
}

// The part of the predictable tokens that the model says right while these hooks act.
inline double accuracy(const Trained& t, const nn::Hooks& hooks = {}) {
  return *train::evaluate(t.model, t.batch, hooks).accuracy_predictable;
}
inline double accuracy(const Array& logits, const tasks::Batch& batch) {
  return *train::evaluate(logits, batch).accuracy_predictable;
}

// The accuracy when senders write what they write on other tokens: everywhere, and on one kind of path each.
struct Patched {
  interpret::HeadSet sender;
  double everywhere, queries, keys, values;
};

// The heads of a layer.
inline interpret::HeadSet heads_of(const nn::Transformer& model, std::size_t layer) {
  interpret::HeadSet heads;
  for (std::size_t head = 0; head < model.config().n_heads; ++head) heads.push_back({layer, head});
  return heads;
}

}  // namespace headlight::lesson
