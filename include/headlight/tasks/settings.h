// The settings of a task, as rows.
#pragma once

#include "headlight/core/setting.h"
#include "headlight/tasks/task.h"

namespace headlight::tasks {

const std::vector<Setting<TaskConfig>>& settings();

}  // namespace headlight::tasks
