// What the page's sequences become without heads.
#pragma once

#include <optional>
#include <vector>

#include "headlight/core/thread_pool.h"
#include "headlight/page/page_without.h"
#include "headlight/run/examples.h"
#include "headlight/run/run.h"

namespace headlight::page {

// Every set of up to ten heads, or the sets of two or of one of more heads; of as many of the first examples
// as there is room for. Nothing for a model so large that single heads would take too long.
std::optional<PageWithout> page_without(const run::Run& run, const std::vector<run::Example>& examples,
                                        ThreadPool& pool);

// Any set of heads, on any sequence, by the engine in the page.
PageWithout without_by_engine(const run::Run& run);

}  // namespace headlight::page
