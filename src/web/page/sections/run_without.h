// What the page's sequences become without heads.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "headlight/core/thread_pool.h"
#include "headlight/run/run.h"
#include "page/shown.h"

namespace headlight::page {

// {most, ways, sequences}: how many heads can be off at once (switched_sets()), what takes the place of a
// head's output, as [name, text], and switched_off_json() by sequence and way. Of every set of up to ten
// heads, or the sets of two or of one of more heads; of as many of the first sequences as there is room for.
// Null for a model so large that single heads would take too long.
nlohmann::ordered_json without_json(const run::Run& run, const std::vector<Shown>& shown, ThreadPool& pool);

// The same for any set of heads, on any sequence, by the engine in the page.
nlohmann::ordered_json without_by_engine(const run::Run& run);

}  // namespace headlight::page
