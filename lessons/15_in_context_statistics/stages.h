// Training on Markov chains, and what is measured along the way.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "chains.h"
#include "headlight/core/thread_pool.h"
#include "headlight/interpret/hooks.h"
#include "headlight/interpret/scores.h"
#include "headlight/nn/nn.h"
#include "headlight/ops/ops.h"
#include "headlight/tasks/task.h"
#include "headlight/train/task_loss.h"
#include "progress.h"

namespace headlight::lesson {

inline constexpr std::size_t kStates = 3, kLength = 48;

// Whether models are trained on chains in which all states have the same share, so that unigrams say nothing.
inline constexpr bool kEvenShares = false;

inline tasks::Task chains_task() {
  return tasks::make_task({.name = "markov", .n_ctx = kLength, .states = kStates});
}

// 128 chains that no model is trained on.
inline tasks::Batch fresh_chains() {
  const tasks::Task task = chains_task();
  return tasks::draw_batch(task, task.training, 128, Rng(99));
}

// A model of attention alone, one head a layer.
inline nn::Transformer new_model(std::size_t layers, std::uint64_t seed) {
  Rng rng(seed);
  nn::Transformer model({.n_layers = layers,
                         .d_model = 32,
                         .n_heads = 1,
                         .d_vocab = kStates,
                         .n_ctx = kLength,
                         .positions = "learned"},
                        rng);
  // With small logits the untrained model says "all states are equally likely", or nearly so.
  for (Real& w : Tensor(model.unembed.W).mutable_array()) w *= 0.1;
  return model;
}

inline constexpr std::array<const char*, 3> kStrategies = {"uniform", "unigram", "bigram"};

// What a model does after some steps.
struct Stage {
  int step = 0;
  double loss = 0;
  std::array<double, 3> from{};            // the divergence from each strategy
  std::vector<double> previous, follower;  // of each layer's head: weight on the token before, on followers

  // The strategy with the smallest divergence.
  std::size_t nearest() const {
    return static_cast<std::size_t>(std::min_element(from.begin(), from.end()) - from.begin());
  }
};

// Equal weights on all letters so far.
inline Array even_pattern() {
  Array even = Array::from_shape({kLength, kLength});
  for (std::size_t i = 0; i < kLength; ++i)
    for (std::size_t j = 0; j < kLength; ++j) even(i, j) = j <= i ? 1.0 / static_cast<double>(i + 1) : 0;
  return even;
}

// The scores of a head with these weights.
inline Stage scores_of_even_weights(const tasks::Batch& batch) {
  const Tensor even = zeros({batch.tokens.shape()[0], kLength, kLength}) + Tensor(even_pattern());
  const interpret::HeadScores scores = interpret::score_pattern(even.array(), batch.tokens);
  return {0, 0, {}, {scores[interpret::kPreviousToken]}, {scores[interpret::kInduction]}};
}

// The pattern of a layer's head on the first `n` letters of the first chain.
inline Array pattern_of(const nn::Transformer& model, std::size_t layer, const tasks::Batch& batch,
                        std::size_t n) {
  IntArray tokens = IntArray::from_shape({std::size_t{1}, n});
  for (std::size_t i = 0; i < n; ++i) tokens(0, i) = batch.tokens(0, i);
  const std::string name = interpret::pattern_name(layer);
  const auto wanted = [&](const std::string& hook) { return hook == name; };
  return reshape(Tensor(interpret::run_with_cache(model, tokens, wanted).cache[name]),
                 {static_cast<int>(n), static_cast<int>(n)})
      .array();
}

using Look = std::function<void(const nn::Transformer& model, int step)>;

// `look` is called before the first step, and after every so many.
inline void train_on_chains(nn::Transformer& model, int steps, int every, std::uint64_t seed,
                            const Look& look) {
  tasks::Task task = chains_task();
  if (kEvenShares)
    task.training = [](Rng& rng) {
      return tasks::next_token_sequence(walk(even_matrix(kStates, rng), kLength + 1, rng),
                                        std::vector<bool>(kLength, false));
    };
  ThreadPool pool;
  train::Trainer trainer = train::task_trainer(
      model, task, {.steps = steps, .learning_rate = 0.005, .warmup = 50, .seed = seed}, pool);
  Progress progress("training", static_cast<std::size_t>(steps));
  look(model, 0);
  for (int step = 1; step <= steps; ++step) {
    trainer.step();
    progress.step();
    if (step % every == 0) look(model, step);
  }
}

// A clone in which the parameters that `chosen` names are as in a new model.
inline nn::Transformer with_fresh(const nn::Transformer& model,
                                  const std::function<bool(const std::string&)>& chosen, std::uint64_t seed) {
  nn::Transformer changed = nn::clone(model);
  const nn::Transformer fresh = new_model(model.config().n_layers, seed);
  const nn::NamedParameters from = nn::named_parameters(fresh), to = nn::named_parameters(changed);
  for (std::size_t i = 0; i < to.size(); ++i)
    if (chosen(to[i].first)) Tensor(to[i].second).mutable_array() = from[i].second.array();
  return changed;
}

// A layer's hook that gives equal weights to all letters so far.
inline nn::Hooks even_weights(std::size_t layer) {
  return {{interpret::pattern_name(layer),
           [even = even_pattern()](const Tensor& pattern) { return pattern * 0 + Tensor(even); }}};
}

// A layer's hook that gives equal weights to the followers of each query's letter, and where there are none
// to all letters so far.
inline nn::Hooks weights_on_followers(std::size_t layer, const tasks::Batch& batch) {
  const std::size_t count = batch.tokens.shape()[0];
  Array weights = zeros({count, 1, kLength, kLength}).array();
  for (std::size_t b = 0; b < count; ++b)
    for (std::size_t i = 0; i < kLength; ++i) {
      const auto follows = [&](std::size_t j) {
        return j > 0 && batch.tokens(b, j - 1) == batch.tokens(b, i);
      };
      double total = 0;
      for (std::size_t j = 0; j <= i; ++j) total += follows(j);
      for (std::size_t j = 0; j <= i; ++j)
        weights(b, 0, i, j) = total > 0 ? follows(j) / total : 1.0 / static_cast<double>(i + 1);
    }
  return {{interpret::pattern_name(layer),
           [weights](const Tensor& pattern) { return pattern * 0 + Tensor(weights); }}};
}

}  // namespace headlight::lesson
