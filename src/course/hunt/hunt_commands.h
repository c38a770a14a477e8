// The command `./headlight hunt`.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>

namespace headlight::course {

// When the line names it, `chosen` is set.
void add_hunt_command(CLI::App& program, const std::filesystem::path& source, std::function<int()>& chosen);

}  // namespace headlight::course
