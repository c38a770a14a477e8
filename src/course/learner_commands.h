// The commands of the learner's loop.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>

namespace headlight::course {

// Adds start, check, watch, hint, solution, lessons and reset. The one that the line names is put into
// `chosen`.
void add_learner_commands(CLI::App& program, const std::filesystem::path& source,
                          const std::filesystem::path& build, std::function<int()>& chosen);

// For the script: prints the folder of the lesson whose exercise is asked for ("" for the one in work, or the
// first).
int print_exercise(const std::filesystem::path& source, const std::string& wanted);

}  // namespace headlight::course
