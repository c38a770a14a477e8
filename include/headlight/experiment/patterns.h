// Attention patterns of a run's model, for drawing.
#pragma once

#include <string>
#include <vector>

#include "headlight/interpret/hooks.h"
#include "headlight/interpret/scores.h"
#include "headlight/report/heatmap.h"
#include "headlight/tasks/task.h"

namespace headlight::inline HEADLIGHT_PRECISION::experiment {

// The logits and the patterns of all heads on one sequence.
interpret::CachedRun patterns_of(const nn::Transformer& model, const std::vector<std::int32_t>& tokens);

// The pattern of one head on one sequence, labelled. Throws Error for a layer or head that does not exist.
report::Heatmap pattern_map(const nn::Transformer& model, const tasks::Task& task,
                            const std::vector<std::int32_t>& tokens, std::size_t layer, std::size_t head,
                            const std::string& title);

// "Head 1.2, induction 0.98"
std::string pattern_title(const std::vector<interpret::HeadScores>& scores, std::size_t layer,
                          std::size_t head);

}  // namespace headlight::inline HEADLIGHT_PRECISION::experiment
