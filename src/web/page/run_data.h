// What a page shows of a run, as its scripts read it: the class Run in src/web/page/web/run.js.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "headlight/core/thread_pool.h"
#include "headlight/run/examples.h"
#include "headlight/run/run.h"

namespace headlight::page {

// `own` are shown before the run's sequences. Live: for a page with the engine, which computes the rest.
// Throws Error when the run kept no snapshots.
nlohmann::ordered_json run_data(const run::Run& run, const std::string& title,
                                const std::vector<run::Example>& own, bool live, ThreadPool& pool);

}  // namespace headlight::page
