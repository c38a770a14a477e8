// The table of settings as flags of the command line.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "headlight/run/experiment.h"

namespace headlight::app {

// What the flags say: changes to a config in the order in which they were typed, and the settings they name.
struct TypedSettings {
  std::vector<std::function<void(run::RunConfig&)>> changes;
  std::set<std::string> names;  // "train.steps"
};

// A flag for every setting, with its help and its default: of all parts, or of the one named, without some.
void add_settings(CLI::App& command, TypedSettings& typed, const std::string& only_part = "",
                  const std::set<std::string>& without = {});

// Calls `use` with the config of the file (empty: the defaults) with the changes. After it, a sentence on
// standard error names each typed setting that has no effect. Errors of `use` name
// each setting as the user did: by its flag, or by its key if it stands in the file.
void with_typed_config(const TypedSettings& typed, const std::string& config_file,
                       const std::function<void(const run::RunConfig&)>& use);

// What `make` returns for this config.
run::Experiment made_as_typed(const TypedSettings& typed, const std::string& config_file,
                              const std::function<run::Experiment(const run::RunConfig&)>& make);

}  // namespace headlight::app
