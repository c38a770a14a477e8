// What a run's model is measured on: sequences drawn from its seed, the same while it trains and after it was
// loaded.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "headlight/interpret/scores.h"
#include "headlight/train/evaluate.h"

namespace headlight::inline HEADLIGHT_PRECISION::experiment {

// How many sequences: few along the way, where there is a measurement every few steps, more at the end.
enum class Extent { along_the_way, full };

class Probes {
 public:
  // The task must outlive the probes.
  Probes(const tasks::Task& task, std::uint64_t seed);

  // On sequences of the kind trained on.
  train::Evaluation evaluate(const nn::Transformer& model, ThreadPool& pool, Extent extent) const;

  // On sequences never trained on; nothing where the task holds none out.
  std::optional<train::Evaluation> evaluate_held_out(const nn::Transformer& model, ThreadPool& pool) const;

  // The scores of all heads on what the task scores them on; nothing where it does not.
  std::vector<interpret::HeadScores> score_heads(const nn::Transformer& model, Extent extent) const;

 private:
  const tasks::Task& task_;
  Rng rng_;
  tasks::Batch evaluated_, evaluated_along_the_way_;
  std::optional<tasks::Batch> scored_, scored_along_the_way_;
};

}  // namespace headlight::inline HEADLIGHT_PRECISION::experiment
