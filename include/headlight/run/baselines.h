// Baselines: the losses of simple predictors and of the best possible one, to compare a model's loss with.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "headlight/tasks/task.h"
#include "headlight/train/evaluate.h"

namespace headlight::run {

struct Baseline {
  std::string name;          // "unigrams"
  train::Evaluation losses;  // without an accuracy
  // The mean loss on the sequences of evaluate_held_out(), for the task's references if it holds sequences
  // out.
  std::optional<double> loss_held_out = {};
  double standard_error = 0;  // of the mean loss, by the sequences' own means; 0 for one sequence
};

// The name of the predictor that no model can beat.
inline constexpr const char* kBestPossible = "best possible";

// The task's references, then the best possible predictor, as far as the task knows them: their mean losses
// on the first `count` sequences of draw_batch(task, task.training, count, rng). A model's loss on this
// batch, less the best possible one, has no noise from the drawing.
std::vector<Baseline> baselines(const tasks::Task& task, std::size_t count, const Rng& rng);

// The mean loss of a predictor on the first `count` sequences of a kind, as above. Throws Error for a loss
// that is none.
double mean_loss(const tasks::Task& task, const tasks::Reference& predictor,
                 const tasks::Generator& sequences, std::size_t count, const Rng& rng);

// The losses of the best possible predictor; nothing if they are not among the baselines.
std::optional<train::Evaluation> best_possible(const std::vector<Baseline>& baselines);

}  // namespace headlight::run
