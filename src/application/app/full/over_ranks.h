// Training over the ranks that a launcher such as mpirun has started: docs/ranks.md.
#pragma once

#include <functional>

#include "app/commands/train.h"

namespace headlight::app {

// Calls the body in every rank, and returns the exit status: that of the body in rank 0, in the others 0.
// Only rank 0 prints, and what is thrown in one ends all.
int over_ranks(const RankOptions& options, const std::function<int(const Rank&)>& body);

}  // namespace headlight::app
