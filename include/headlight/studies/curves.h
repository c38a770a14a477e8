// The curves of a run, as charts and as a figure with the patterns of its best head.
#pragma once

#include <vector>

#include "headlight/draw/chart.h"
#include "headlight/draw/figure.h"
#include "headlight/run/metrics.h"
#include "headlight/run/run_folder.h"
#include "headlight/run/yardsticks.h"
#include "headlight/tasks/task.h"

namespace headlight::studies {

// A level that a loss can be compared with: a yardstick on the predictable targets, or on the others.
struct LossLine {
  std::string name;   // "best possible", "unigrams, unpredictable"
  std::string brief;  // "best"
  double value;
  bool predictable;  // on these targets
};
std::vector<LossLine> loss_lines(const std::vector<run::Yardstick>& yardsticks,
                                 const tasks::TokenKinds& kinds = {});

// Loss, with a dashed line for each yardstick, and accuracy with the best head scores, along training.
std::vector<draw::Chart> curves(const std::vector<run::Metrics>& metrics,
                                const std::vector<run::Yardstick>& yardsticks = {},
                                const tasks::TokenKinds& kinds = {});

// What the task of a run calls its tokens; the usual words for a task that cannot be made again.
tasks::TokenKinds token_kinds(const run::RunFolder& folder);

// The same below the best induction head's pattern at six steps, if the run kept its weights.
draw::Figure curves_figure(const run::RunFolder& folder);

}  // namespace headlight::studies
