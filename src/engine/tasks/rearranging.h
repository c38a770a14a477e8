// Tasks whose answer is a segment in another order: "A B C | C B A".
#pragma once

#include <functional>
#include <vector>

#include "headlight/tasks/toy_tasks.h"

namespace headlight::tasks {

// For each token of the answer, its position in the segment.
using Order = std::function<std::vector<std::size_t>(const std::vector<std::int32_t>& segment)>;

// The first of the words says what must be written; what is read is put before it.
Task rearranging_task(const TaskConfig& config, const Order& order, const TaskWords& words);

}  // namespace headlight::tasks
