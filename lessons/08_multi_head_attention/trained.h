// A small transformer, trained on sequences that repeat or turn back, and how lesson 8 draws its heads.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "headlight/core/thread_pool.h"
#include "headlight/draw/sheet.h"
#include "headlight/interpret/hooks.h"
#include "headlight/interpret/scores.h"
#include "headlight/ops/attention.h"
#include "headlight/ops/rearrange.h"
#include "headlight/tasks/task.h"
#include "headlight/train/task_loss.h"
#include "printed.h"
#include "progress.h"

namespace headlight::lesson {

inline constexpr std::size_t kTokens = 32;  // in a sequence, and in the vocabulary

// A segment of 8 to 16 different tokens. In `percent_back` of 100 sequences it is run through back and forth,
// A B C D C B A B …; in the others it repeats, A B C D A B C D ….
inline tasks::Sequence back_or_again(Rng& rng, std::uint64_t percent_back) {
  const std::size_t length = 8 + rng.below(9), turn = 2 * length - 2;
  const std::vector<std::int32_t> segment = rng.distinct(length, kTokens);
  const bool back = rng.below(100) < percent_back;
  std::vector<std::int32_t> tokens(kTokens + 1);
  for (std::size_t i = 0; i <= kTokens; ++i) {
    const std::size_t at = i % (back ? turn : length);
    tokens[i] = segment[at < length ? at : turn - at];
  }
  std::vector<bool> predictable(kTokens);
  for (std::size_t i = 0; i < kTokens; ++i) predictable[i] = i >= length;
  return tasks::next_token_sequence(tokens, predictable);
}

// Two layers of four heads.
struct TrainedModel {
  tasks::Task task = tasks::make_task({.name = "repeat", .d_vocab = kTokens, .n_ctx = kTokens});
  std::unique_ptr<nn::Transformer> model;
  double first_loss = 0, last_loss = 0;
};

inline TrainedModel trained_model(std::uint64_t percent_back, std::int64_t steps) {
  TrainedModel t;
  t.task.training = [percent_back](Rng& rng) { return back_or_again(rng, percent_back); };
  Rng rng(1);
  t.model = std::make_unique<nn::Transformer>(
      nn::TransformerConfig{.n_layers = 2, .d_model = 32, .n_heads = 4, .d_vocab = kTokens, .n_ctx = kTokens},
      rng);
  ThreadPool pool;
  train::Trainer trainer =
      train::task_trainer(*t.model, t.task, {.steps = steps, .learning_rate = 1e-2, .seed = 1}, pool);
  Progress progress("training", static_cast<std::size_t>(steps));
  for (std::int64_t step = 1; step <= steps; ++step) {
    t.last_loss = trainer.step().loss;
    if (step == 1) t.first_loss = t.last_loss;
    progress.step();
  }
  return t;
}

// The scores of all heads on sequences that repeat, with segments shorter or longer than those of the
// training.
inline std::vector<interpret::HeadScores> scores_of(const TrainedModel& t) {
  return interpret::score_heads(*t.model, tasks::draw_batch(t.task, t.task.scored, 64, Rng(8)));
}

// The patterns of all heads, layer by layer, on one sequence in which a segment of 12 tokens repeats.
inline std::string svg_heads(const TrainedModel& t, const std::vector<interpret::HeadScores>& heads) {
  const std::vector<std::int32_t> segment = Rng(3).distinct(12, kTokens);
  IntArray tokens = IntArray::from_shape({1, kTokens});
  for (std::size_t i = 0; i < kTokens; ++i) tokens(0, i) = segment[i % 12];
  const interpret::CachedRun run = interpret::run_with_cache(*t.model, tokens);
  draw::Sheet sheet{"The heads of one trained model, on a segment of 12 tokens that repeats", {}, 4, 4};
  for (std::size_t layer = 0; layer < 2; ++layer) {
    const Tensor patterns(run.cache[interpret::pattern_name(layer)]);  // (1,4,32,32)
    for (int head = 0; head < 4; ++head)
      sheet.maps.push_back({reshape(slice(patterns, 1, head, head + 1), {kTokens, kTokens}).array(),
                            {},
                            {},
                            title_of(heads[sheet.maps.size()]),
                            visible_keys(kTokens, kTokens, {.causal = true})});
  }
  return draw::svg_sheet(sheet);
}

}  // namespace headlight::lesson
