// docs/tasks.md: every task with what its recipe reaches.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "headlight/run/config.h"
#include "headlight/run/results.h"

namespace headlight::app {

// The recipe of a task: the settings in <folder>/<task>.json. Throws Error if there is none, or if it is of
// another task.
run::RunConfig recipe_of(const std::string& task, const std::filesystem::path& folder);

// The line of a task, with the results that `train` returns for its recipe.
using TrainRecipe = std::function<run::Results(const run::RunConfig&)>;
std::string line_of_task(const std::string& task, const std::filesystem::path& recipes,
                         const TrainRecipe& train);

// The page with all tasks.
std::string page_of_tasks(const std::filesystem::path& recipes, const TrainRecipe& train);

}  // namespace headlight::app
