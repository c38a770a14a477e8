// Flags that name a file to write.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace headlight::app {

// An option for a file to write. Parsing throws Error when it names a file of a run or of a sweep, or one
// of another kind.
CLI::Option* add_output_option(CLI::App& command, const std::string& flag, std::string& file,
                               const std::string& help);

// --json, which excludes the other options that say where the numbers go: call it after these were added.
void add_json_option(CLI::App& command, bool& json);

}  // namespace headlight::app
