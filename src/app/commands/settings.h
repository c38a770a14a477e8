// The table of settings as flags of the command line.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "headlight/experiment/config.h"

namespace headlight::inline HEADLIGHT_PRECISION::app {

// Changes to a config, in the order in which they were typed.
using Changes = std::vector<std::function<void(experiment::RunConfig&)>>;

// A flag for every setting, with its help and its default. What is typed becomes a change.
void add_settings(CLI::App& command, Changes& changes);

}  // namespace headlight::inline HEADLIGHT_PRECISION::app
