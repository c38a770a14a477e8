// What ./headlight task prints for --json.
#pragma once

#include <cstdint>

#include "headlight/system/json_output.h"
#include "headlight/tasks/task.h"

namespace headlight::app {

// Every task of the registry with its sentence.
ordered_json tasks_json();

// What a task is, its losses, and `count` samples. Tokens are texts; a target is null where nothing is
// predicted.
ordered_json task_json(const tasks::Task& task, std::uint64_t seed, std::uint64_t count);

}  // namespace headlight::app
