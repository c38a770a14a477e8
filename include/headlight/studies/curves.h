// The curves of a run, as charts and as a figure with the patterns of its best head.
#pragma once

#include <vector>

#include "headlight/draw/chart.h"
#include "headlight/draw/figure.h"
#include "headlight/run/baselines.h"
#include "headlight/run/metrics.h"
#include "headlight/run/run.h"
#include "headlight/tasks/task.h"

namespace headlight::studies {

// A level that a loss can be compared with: a baseline on the predictable targets, or on the others.
struct LossLine {
  std::string name;   // "best possible", "unigrams, unpredictable"
  std::string brief;  // "best"
  double value;
  bool predictable;  // on these targets
};
std::vector<LossLine> loss_lines(const std::vector<run::Baseline>& baselines,
                                 const tasks::TokenKinds& kinds = {});

// Loss, with a dashed line for each baseline, and accuracy with the best head scores, along training; then
// the loss on held-out sequences beside that on sequences as in training, and each metric of the user's own.
std::vector<draw::Chart> curves(const std::vector<run::Metrics>& metrics,
                                const std::vector<run::Baseline>& baselines = {},
                                const tasks::TokenKinds& kinds = {});

// The same below the best induction head's pattern at six steps, if the run kept its weights.
draw::Figure curves_figure(const run::Run& run);

}  // namespace headlight::studies
