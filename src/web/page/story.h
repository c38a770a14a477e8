// What the report says first: a run's task, and what its best head does, on one sequence.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "headlight/run/results.h"
#include "headlight/tasks/task.h"
#include "shown.h"

namespace headlight::page {

// The story of a run on its first sequence, with that sequence's patterns (layer by layer, each (H,n,n)): the
// task, what the model must find, and, when there is an induction head, where it looks from one token and
// what the model then predicts: the layer and head, the query and key. A piece of a sentence between stars is
// a term of the glossary.
nlohmann::ordered_json story_json(const tasks::Task& task, const run::Results& results, const Shown& shown,
                                  const std::vector<const Array*>& patterns);

}  // namespace headlight::page
