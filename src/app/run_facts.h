// A run in words: names and values, as the report lists them.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "headlight/interpret/scores.h"
#include "headlight/train/config.h"

namespace headlight::app {

using Facts = std::vector<std::pair<std::string, std::string>>;

// What came out, and how: from a run folder's summary.json. Throws Error when that is missing or damaged, or
// when its scores are not these.
Facts result_facts(const std::filesystem::path& folder, const std::vector<interpret::HeadScores>& scores);

// Every setting of a run, by its name in config.json.
Facts setting_facts(const train::RunConfig& config);

}  // namespace headlight::app
