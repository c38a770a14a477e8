// The models of lesson 16, and what is measured along their training and at its end.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "headlight/core/thread_pool.h"
#include "headlight/interpret/hooks.h"
#include "headlight/interpret/scores.h"
#include "headlight/nn/nn.h"
#include "headlight/tasks/batch.h"
#include "headlight/tasks/text.h"
#include "headlight/train/evaluate.h"
#include "headlight/train/task_loss.h"
#include "progress.h"
#include "statistics.h"

namespace headlight::lesson {

inline constexpr std::size_t kContext = 64;
inline constexpr int kEvery = 25;  // steps from one measurement to the next

struct Recipe {
  std::string text, name;  // the text itself; what tables call it
  int steps;
  std::size_t n_ctx = kContext;
};

struct Look {
  int step;
  double training, held_out;  // losses
};

struct Trained {
  Recipe recipe;
  tasks::Task task;
  nn::Transformer model;
  std::vector<Look> looks;
};

// Two layers of attention with two heads each.
inline Trained new_model(const Recipe& r) {
  tasks::Task task = tasks::text_task({.name = "text", .n_ctx = r.n_ctx}, r.text, r.name);
  Rng rng(1);
  nn::Transformer model(
      {.n_layers = 2, .d_model = 32, .n_heads = 2, .d_vocab = task.config.d_vocab, .n_ctx = r.n_ctx}, rng);
  return {r, std::move(task), std::move(model), {}};
}

inline void train_on_text(Trained& t, ThreadPool& pool, const std::function<void()>& each_step) {
  const auto batch_of = [&](const tasks::Generator& part) {
    return tasks::draw_batch(t.task, part, kWindows, Rng(9));
  };
  const tasks::Batch training = batch_of(t.task.training), held_out = batch_of(t.task.held_out);
  train::Trainer trainer = train::task_trainer(
      t.model, t.task, {.steps = t.recipe.steps, .learning_rate = 0.015, .warmup = 50, .seed = 1}, pool);
  for (int step = 0; step <= t.recipe.steps; ++step) {
    if (step > 0) trainer.step();
    each_step();
    if (step % kEvery == 0)
      t.looks.push_back({step, train::evaluate(t.model, training, pool).loss,
                         train::evaluate(t.model, held_out, pool).loss});
  }
}

// Several trainings at once. The results do not depend on the number of threads.
inline std::vector<Trained> train_all(const std::vector<Recipe>& recipes) {
  std::vector<Trained> all;
  std::size_t steps = 0;
  for (const Recipe& r : recipes) {
    all.push_back(new_model(r));
    steps += static_cast<std::size_t>(r.steps);
  }
  ThreadPool pool;
  std::mutex mutex;
  Progress progress(fmt::format("training {} models", recipes.size()), steps);
  pool.run(all.size(), [&](std::size_t i) {
    train_on_text(all[i], pool, [&] {
      const std::lock_guard lock(mutex);
      progress.step();
    });
  });
  return all;
}

// Of each head, the mean weight on what followed an earlier match of exactly so many characters, and in the
// last number of so many or more; on the held-out part.
struct HeadMatches {
  interpret::HeadAt head;
  std::vector<double> weight;
};
inline constexpr std::size_t kLongestMatch = 6;

inline std::vector<HeadMatches> weights_by_match(const Trained& t) {
  const std::vector<tasks::Sequence> held_out = windows(t.task, t.task.held_out);
  const tasks::Batch batch = tasks::draw_batch(t.task, t.task.held_out, kWindows, Rng(9));
  const interpret::CachedRun run = interpret::run_with_cache(
      t.model, batch.tokens, [](const std::string& name) { return name.ends_with("hook_pattern"); });
  const auto& config = t.model.config();
  std::vector<HeadMatches> all;
  for (std::size_t layer = 0; layer < config.n_layers; ++layer)
    for (std::size_t head = 0; head < config.n_heads; ++head) {
      const Array& pattern = run.cache[interpret::pattern_name(layer)];
      std::vector<double> sum(kLongestMatch + 1, 0), n(kLongestMatch + 1, 0);
      for (std::size_t b = 0; b < held_out.size(); ++b)
        for (std::size_t q = 1; q < t.recipe.n_ctx; ++q)
          for (std::size_t j = 0; j < q; ++j) {
            const std::size_t k = std::min(matched(held_out[b].tokens, q, j), kLongestMatch);
            sum[k] += pattern(b, head, q, j + 1);
            ++n[k];
          }
      for (std::size_t k = 0; k <= kLongestMatch; ++k) sum[k] /= std::max(n[k], 1.0);
      all.push_back({{layer, head}, sum});
    }
  return all;
}

// The head that gives most weight to what followed a match of three characters.
inline HeadMatches best_match(const Trained& t) {
  std::vector<HeadMatches> all = weights_by_match(t);
  return *std::max_element(all.begin(), all.end(), [](const HeadMatches& a, const HeadMatches& b) {
    return a.weight[3] < b.weight[3];
  });
}

}  // namespace headlight::lesson
