// Evaluation sets: the sequences on which a run's model is measured. They are drawn from the run's seed, so
// they are the same during training and after loading.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "headlight/interpret/scores.h"
#include "headlight/run/baselines.h"
#include "headlight/train/evaluate.h"

namespace headlight::run {

// The number of sequences: few along training, where there is a measurement every few steps, but enough for a
// smooth curve where a sequence has few targets; more at the end. Of contexts beyond
// interpret::kLongestPattern there are fewer, so that they have no more tokens in all.
enum class Extent { along_the_way, full };
inline constexpr std::size_t kEvaluated = 256, kEvaluatedAlongTheWay = 32;  // along the way: at least
inline constexpr std::size_t kScored = 32, kScoredAlongTheWay = 16;

class EvaluationSets {
 public:
  // The task must outlive the evaluation sets.
  EvaluationSets(const tasks::Task& task, std::uint64_t seed);

  // On sequences of the kind used in training.
  train::Evaluation evaluate(const nn::Transformer& model, ThreadPool& pool, Extent extent) const;

  // On sequences of the held-out kind; nothing if the task has none.
  std::optional<train::Evaluation> evaluate_held_out(const nn::Transformer& model, ThreadPool& pool,
                                                     Extent extent) const;

  // The accuracy on predictable tokens of always answering the most frequent one of their targets.
  double guessing() const;

  // On the sequences of evaluate(…, Extent::full) and of evaluate_held_out().
  std::vector<Baseline> baselines() const;

  // The scores of all heads on the task's sequences for scoring. If it has none, on training sequences that
  // say from where each target is copied; empty if they do not. Where the sequences for scoring are of
  // another kind than the task's, such as repeated random tokens for a text, the answer score is that on
  // training sequences. Empty for contexts beyond interpret::kLongestPattern, and for a text of two
  // characters or with a context below 8, which has no sequences of such another kind.
  std::vector<interpret::HeadScores> score_heads(const nn::Transformer& model, ThreadPool& pool,
                                                 Extent extent) const;

 private:
  const tasks::Task& task_;
  Rng rng_;
  tasks::Batch evaluated_, evaluated_along_the_way_;
  std::optional<tasks::Batch> held_out_, held_out_along_the_way_;
  std::optional<tasks::Batch> scored_, scored_along_the_way_;
  std::optional<tasks::Batch> answered_, answered_along_the_way_;  // for the answer score, where it is apart
};

}  // namespace headlight::run
