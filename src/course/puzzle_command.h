// The command puzzle.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>

namespace headlight::course {

// Adds puzzle. When the line names it, it is put into `chosen`.
void add_puzzle_command(CLI::App& program, const std::filesystem::path& source,
                        const std::filesystem::path& build, std::function<int()>& chosen);

}  // namespace headlight::course
