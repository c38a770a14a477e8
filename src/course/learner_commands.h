// The commands for learners.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "lessons.h"

namespace headlight::course {

// Adds start, check, watch, show, hint, solution, lessons and reset. The one that the line names is put into
// `chosen`.
void add_learner_commands(CLI::App& program, const std::filesystem::path& source,
                          const std::filesystem::path& build, std::function<int()>& chosen);

// Builds a target, and shows how far the build is. Throws Error for a build that fails, and prints why.
void build_or_fail(const std::filesystem::path& build, const std::string& target);

// Writes the book and opens it at a lesson.
int read_lesson(const std::filesystem::path& source, const std::filesystem::path& build,
                const Lesson& lesson);

// Builds and runs the program of a lesson. Returns its exit status.
int run_lesson(const std::filesystem::path& build, const Lesson& lesson, std::vector<std::string> arguments);

}  // namespace headlight::course
