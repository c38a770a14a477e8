// The settings of a task, as rows.
#pragma once

#include "headlight/core/setting.h"
#include "headlight/tasks/task.h"

namespace headlight::tasks {

// A row for each, in the order of the command line's help.
const std::vector<Setting<TaskConfig>>& settings();

}  // namespace headlight::tasks
