// What the report says first: a run's task, and what its best head does, on one sequence.
#pragma once

#include "headlight/experiment/results.h"
#include "headlight/report/page.h"
#include "headlight/tasks/task.h"

namespace headlight::inline HEADLIGHT_PRECISION::experiment {

// The story of a run on its first sequence, with that sequence's patterns (layer by layer, each (H,n,n)): the
// task, what the model must find, and, when there is an induction head, where it looks from one token and
// what the model then predicts.
report::PageStory story_of(const tasks::Task& task, const Results& results,
                           const report::PageSequence& sequence, const std::vector<const Array*>& patterns);

}  // namespace headlight::inline HEADLIGHT_PRECISION::experiment
