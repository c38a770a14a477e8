// The curves of a run, as charts and as a figure with the patterns of its best head.
#pragma once

#include <vector>

#include "headlight/experiment/metrics.h"
#include "headlight/experiment/run_folder.h"
#include "headlight/experiment/yardsticks.h"
#include "headlight/report/chart.h"
#include "headlight/report/figure.h"
#include "headlight/tasks/task.h"

namespace headlight::inline HEADLIGHT_PRECISION::experiment {

// A level that a loss can be compared with: a yardstick on the predictable targets, or on the others.
struct LossLine {
  std::string name;   // "best possible", "unigrams, unpredictable"
  std::string brief;  // "best"
  double value;
  bool predictable;  // on these targets
};
std::vector<LossLine> loss_lines(const std::vector<Yardstick>& yardsticks,
                                 const tasks::TokenKinds& kinds = {});

// Loss, with a dashed line for each yardstick, and accuracy with the best head scores, along training.
std::vector<report::Chart> curves(const std::vector<Metrics>& metrics,
                                  const std::vector<Yardstick>& yardsticks = {},
                                  const tasks::TokenKinds& kinds = {});

// What the task of a run calls its tokens; the usual words for a task that cannot be made again.
tasks::TokenKinds token_kinds(const RunFolder& folder);

// The same below the best induction head's pattern at six steps, if the run kept its weights.
report::Figure curves_figure(const RunFolder& folder);

}  // namespace headlight::inline HEADLIGHT_PRECISION::experiment
