// Tasks of pairs and queries: "A p B q C r B A → q p".
#pragma once

#include "headlight/tasks/toy_tasks.h"

namespace headlight::tasks {

Task lookup_task(const TaskConfig& config, const TaskWords& words);

}  // namespace headlight::tasks
