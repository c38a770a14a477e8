// Trainings of lesson 12, watched step by step on sequences whose lengths they never trained on.
#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "headlight/core/thread_pool.h"
#include "headlight/interpret/hooks.h"
#include "headlight/interpret/scores.h"
#include "headlight/tasks/batch.h"
#include "headlight/train/evaluate.h"
#include "headlight/train/task_loss.h"
#include "progress.h"

namespace headlight::lesson {

inline constexpr std::size_t kContext = 32;  // tokens in a sequence
inline constexpr std::int64_t kEvery = 5;    // steps from one measurement to the next

struct Recipe {
  std::size_t vocabulary = 32, heads = 2, d_head = 16;
  std::uint64_t seed = 1;
  std::int64_t steps = 320;
  bool stops = false;                   // as soon as the head has formed
  std::vector<std::int64_t> kept = {};  // the steps whose patterns are kept
};

// The patterns of all heads on one sequence, as they were after a step: one (1,heads,n,n) for each layer.
struct Kept {
  std::int64_t step;
  std::vector<Array> layers;
};

// What was measured after the steps 0, 5, 10, …
struct Watched {
  std::vector<double> steps, loss, accuracy;  // of predictable tokens
  std::vector<double> previous, induction;    // the scores of the best head for each
  std::vector<interpret::HeadScores> heads;   // all scores at the end
  std::vector<Kept> kept;
};

// Segments of 8 to 16 different tokens, which repeat. Held out are segments of 4 to 7 and 17 to 20 tokens.
inline tasks::Task task_of(const Recipe& r) {
  return tasks::make_task({.name = "repeat", .d_vocab = r.vocabulary, .n_ctx = kContext});
}

inline nn::TransformerConfig model_of(const Recipe& r) {
  return {.n_layers = 2,
          .d_model = 32,
          .n_heads = r.heads,
          .d_head = r.d_head,
          .d_vocab = r.vocabulary,
          .n_ctx = kContext};
}

// One sequence with a segment of 18 tokens.
inline IntArray shown_tokens(const Recipe& r) {
  const std::vector<std::int32_t> segment = Rng(3).distinct(18, r.vocabulary);
  IntArray tokens = IntArray::from_shape({1, kContext});
  for (std::size_t i = 0; i < kContext; ++i) tokens(0, i) = segment[i % segment.size()];
  return tokens;
}

inline Kept patterns_at(std::int64_t step, const nn::Transformer& model, const Recipe& r) {
  const interpret::CachedRun run = interpret::run_with_cache(model, shown_tokens(r));
  Kept kept{step, {}};
  for (std::size_t layer = 0; layer < 2; ++layer)
    kept.layers.push_back(run.cache[interpret::pattern_name(layer)]);
  return kept;
}

// The best head's score.
inline double best(const std::vector<interpret::HeadScores>& heads, const char* kind) {
  return interpret::best_head(heads, kind)[kind];
}

// Defined by the lesson.
Watched watch(const Recipe& r, ThreadPool& pool, const std::function<void()>& each_step);

// Several trainings at once, a thread for each. The results do not depend on the number of threads.
inline std::vector<Watched> watch_all(const std::string& what, const std::vector<Recipe>& recipes) {
  std::vector<Watched> all(recipes.size());
  ThreadPool pool;
  std::mutex mutex;
  std::size_t steps = 0;
  for (const Recipe& r : recipes) steps += static_cast<std::size_t>(r.steps);
  Progress progress(what, steps);
  pool.run(recipes.size(), [&](std::size_t i) {
    all[i] = watch(recipes[i], pool, [&] {
      const std::lock_guard lock(mutex);
      progress.step();
    });
  });
  return all;
}

}  // namespace headlight::lesson
