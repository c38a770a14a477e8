// Attention patterns of a run's model, for drawing.
#pragma once

#include <string>
#include <vector>

#include "headlight/draw/heatmap.h"
#include "headlight/interpret/hooks.h"
#include "headlight/interpret/scores.h"
#include "headlight/run/examples.h"
#include "headlight/tasks/task.h"

namespace headlight::studies {

// The logits and the patterns of all heads on one sequence.
interpret::CachedRun patterns_of(const nn::Transformer& model, const run::Example& example);

// Throws Error that names the file when one of these patterns is not finite, computed with the weights that
// the file has of this step.
void check_patterns(const interpret::CachedRun& run, const std::string& file, std::int64_t step);

// The tokens that a stack's queries, or its keys, stand for.
const std::vector<std::int32_t>& queries_of(interpret::Stack stack, const run::Example& example);
const std::vector<std::int32_t>& keys_of(interpret::Stack stack, const run::Example& example);

// The pattern of one head on one sequence, labelled. Throws Error for a head that does not exist.
draw::Heatmap pattern_map(const nn::Transformer& model, const tasks::Task& task, const run::Example& example,
                          const interpret::HeadAt& head, const std::string& title);

// "Layer 1, head 2: induction head, score 0.98"
std::string pattern_title(const std::vector<interpret::HeadScores>& scores, const interpret::HeadAt& head);

// The head that a reader wants to see first: the best by interpret::score_to_show_first(); of a model without
// scores, the first.
interpret::HeadAt head_to_show_first(const std::vector<interpret::HeadScores>& scores);

}  // namespace headlight::studies
