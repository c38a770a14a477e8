// Spaces in tokens that a user types.
#pragma once

#include <string>

#include "headlight/tasks/task.h"

namespace headlight::app {

// Says on standard error when the spaces of the text that a flag gives are left out, because the vocabulary's
// tokens are single characters and none is a space.
void warn_left_out_spaces(const tasks::Task& task, const std::string& flag, const std::string& text);

}  // namespace headlight::app
