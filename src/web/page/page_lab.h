#pragma once

#include <nlohmann/json.hpp>

#include "headlight/nn/transformer.h"
#include "headlight/run/config.h"

namespace headlight::page {

// The part "Lab": its model after so many steps, to play with in the page, and the settings that a new one
// may have.
nlohmann::ordered_json lab_json(const run::RunConfig& config, std::int64_t steps,
                                const nn::Transformer& model);

}  // namespace headlight::page
