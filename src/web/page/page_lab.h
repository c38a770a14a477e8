#pragma once

#include <nlohmann/json.hpp>

#include "headlight/run/run.h"

namespace headlight::page {

// The part "Lab": the run's model after its training, to play with in the page, and the settings that a new
// one may have.
nlohmann::ordered_json lab_json(const run::Run& run);

}  // namespace headlight::page
