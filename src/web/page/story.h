// What the report says first: a run's task, and what its best head does, on one sequence.
#pragma once

#include "headlight/page/page.h"
#include "headlight/run/results.h"
#include "headlight/tasks/task.h"

namespace headlight::page {

// The story of a run on its first sequence, with that sequence's patterns (layer by layer, each (H,n,n)): the
// task, what the model must find, and, when there is an induction head, where it looks from one token and
// what the model then predicts.
PageStory story_of(const tasks::Task& task, const run::Results& results, const PageSequence& sequence,
                   const std::vector<const Array*>& patterns);

}  // namespace headlight::page
