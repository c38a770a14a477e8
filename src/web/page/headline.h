// A run's task and result in one plain sentence, without a term of the field.
#pragma once

#include <string>

#include "headlight/run/results.h"
#include "headlight/tasks/task.h"

namespace headlight::page {

// "This small network learned to copy: when a letter comes again, it looks back at what followed it before."
std::string headline(const tasks::Task& task, const run::Results& results);

}  // namespace headlight::page
