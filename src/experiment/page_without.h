// What the page's sequences become without heads.
#pragma once

#include <optional>
#include <vector>

#include "headlight/core/thread_pool.h"
#include "headlight/experiment/examples.h"
#include "headlight/experiment/run_folder.h"
#include "headlight/report/page_without.h"

namespace headlight::inline HEADLIGHT_PRECISION::experiment {

// Every set of up to ten heads, or the sets of two or of one of more heads; of as many of the first examples
// as there is room for. Nothing for a model so large that single heads would take too long.
std::optional<report::PageWithout> page_without(const SavedRun& run, const std::vector<Example>& examples,
                                                ThreadPool& pool);

}  // namespace headlight::inline HEADLIGHT_PRECISION::experiment
