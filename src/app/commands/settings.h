// The table of settings as flags of the command line.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "headlight/experiment/experiment.h"

namespace headlight::inline HEADLIGHT_PRECISION::app {

// What the flags say: changes to a config in the order in which they were typed, and the settings they name.
struct TypedSettings {
  std::vector<std::function<void(experiment::RunConfig&)>> changes;
  std::set<std::string> names;  // "train.steps"
};

// A flag for every setting, with its help and its default: of all parts, or of the one named, without some.
void add_settings(CLI::App& command, TypedSettings& typed, const std::string& only_part = "",
                  const std::set<std::string>& without = {});

// Calls `use` with the config of the file (empty: the defaults) with the changes. After it, a sentence on
// standard error names each typed setting that has no effect. Errors of `use` name
// each setting as the user did: by its flag, or by its key if it stands in the file.
void with_typed_config(const TypedSettings& typed, const std::string& config_file,
                       const std::function<void(const experiment::RunConfig&)>& use);

// What `make` returns for this config.
experiment::Experiment made_as_typed(
    const TypedSettings& typed, const std::string& config_file,
    const std::function<experiment::Experiment(const experiment::RunConfig&)>& make);

}  // namespace headlight::inline HEADLIGHT_PRECISION::app
